#!/usr/bin/env node
import { readFileSync } from 'node:fs'

// Sums orders by city.
const lines = readFileSync(0, 'utf8').split('\n').slice(1).filter((line) => line !== '')
const cities = {}
let total = 0
for (const line of lines) {
  const [, city, , amount] = line.split(',')
  cities[city] = (cities[city] ?? 0) + parseFloat(amount)
  total += parseFloat(amount)
}
for (const city of Object.keys(cities)) cities[city] = cities[city].toFixed(2)
console.log(JSON.stringify({ orders: lines.length, total: total.toFixed(2), cities }))
