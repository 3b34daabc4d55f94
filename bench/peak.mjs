// Loaded before a program: prints the most memory that its process held, in KiB, when it ends.
process.on('exit', () => {
  process.stderr.write(`peak ${process.resourceUsage().maxRSS}\n`)
})
