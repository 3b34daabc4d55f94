const head = 'order,city,item,amount'

export const cases = {
  plain: () => ({
    input: `${head}\n1,Bergen,Cup,20.00\n2,Oslo,Cup,10.00\n3,Oslo,Pan,31.25\n`,
    expected: { orders: 3, total: '61.25', cities: { Bergen: '20.00', Oslo: '41.25' } },
  }),
  quoting: () => ({
    input: `${head}\r\n1,"Mo i Rana, Nordland","Mug, ""big""",5\r\n\r\n2,Oslo,"two\nlines",2.5\r\n3,"Oslo",x,1`,
    expected: { orders: 3, total: '8.50', cities: { 'Mo i Rana, Nordland': '5.00', Oslo: '3.50' } },
  }),
  money: () => ({
    input: `${head}\n1,Bergen,Refund,-0.05\n2,Oslo,Bond,90071992547409.91\n3,Oslo,Cent,0.01\n4,Oslo,Refund,-90071992547409.91\n`,
    expected: { orders: 4, total: '-0.04', cities: { Bergen: '-0.05', Oslo: '0.01' } },
  }),
  large: () => {
    const cities = ['Bergen', 'Bodø', 'Oslo', 'Tromsø']
    const cents = cities.map(() => 0)
    const lines = [head]
    for (let order = 0; order < 3000; order += 1) {
      const amount = (order * 7919) % 10_000
      cents[order % 4] += amount
      lines.push(`${order},${cities[order % 4]},Thing,${(amount / 100).toFixed(2)}`)
    }
    const money = (value) => (value / 100).toFixed(2)
    return {
      input: `${lines.join('\n')}\n`,
      expected: { orders: 3000, total: money(cents.reduce((sum, each) => sum + each)), cities: Object.fromEntries(cities.map((city, index) => [city, money(cents[index])])) },
    }
  },
}
