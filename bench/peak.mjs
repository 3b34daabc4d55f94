// Loaded before a program: prints the peak memory of its process in KiB when it ends.
process.on('exit', () => {
  process.stderr.write(`peak ${process.resourceUsage().maxRSS}\n`)
})
