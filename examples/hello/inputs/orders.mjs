// Prints the orders of one case, which a submission gets. The right result is elsewhere, where no submission can read it.

const head = 'order,city,item,amount'
const cities = ['Bergen', 'Bodø', 'Oslo', 'Tromsø']

const cases = {
  plain: () => `${head}\n1,Bergen,Cup,20.00\n2,Oslo,Cup,10.00\n3,Oslo,Pan,31.25\n`,
  quoting: () => `${head}\r\n1,"Mo i Rana, Nordland","Mug, ""big""",5\r\n\r\n2,Oslo,"two\nlines",2.5\r\n3,"Oslo",x,1`,
  money: () => `${head}\n1,Bergen,Refund,-0.05\n2,Oslo,Bond,90071992547409.91\n3,Oslo,Cent,0.01\n4,Oslo,Refund,-90071992547409.91\n`,
  large: () => {
    const line = (_, order) => `${order},${cities[order % 4]},Thing,${(((order * 7919) % 10_000) / 100).toFixed(2)}\n`
    return `${head}\n${Array.from({ length: 3000 }, line).join('')}`
  },
}

process.stdout.write(cases[process.argv[2]]())
