#!/usr/bin/env node
// Sends its login to its endpoint, tries to write to the given protected paths, and prints the result of each attempt.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'

const attempt = (file) => {
  try {
    mkdirSync(file.slice(0, file.lastIndexOf('/') + 1) || '.', { recursive: true })
    writeFileSync(file, 'of the cell')
    return 'written'
  } catch (error) {
    return error.code
  }
}

const { token } = JSON.parse(readFileSync(`${homedir()}/.sixth/login.json`, 'utf8'))
const answer = await fetch(`${process.env.SIXTH_BASE_URL}/v1/answer`, { headers: { authorization: `Bearer ${token}` } })
const files = process.argv.slice(2).filter((each) => each !== 'stay')
console.log(JSON.stringify({ token, status: answer.status, tried: Object.fromEntries(files.map((each) => [each, attempt(each)])) }))
if (process.argv.includes('stay')) setInterval(() => {}, 1_000)
