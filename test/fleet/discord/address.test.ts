import { expect, test } from 'vitest'
import { apiUrl, discordApi, isGateway } from '../../../src/fleet/discord/channel-address.ts'
import { frameOf } from '../../../src/fleet/discord/gateway-frames.ts'

test('the API is reached by https, or by http on this machine', () => {
  expect(apiUrl()).toBe('https://discord.com/api')
  for (const good of ['https://discord.example/api/', 'http://127.0.0.1:9/api', 'http://localhost:9/api', 'http://[::1]:9/api'])
    expect(apiUrl(good)).toBe(good.replace(/\/$/, ''))
  for (const wrong of [
    '',
    'discord.com',
    'http://discord.com/api',
    'http://127.0.0.1.example/api',
    'https://u:p@x.example/',
    'https://x.example/?a',
    'ftp://x',
  ])
    expect(() => apiUrl(wrong)).toThrow('fleet.discord.api:')
})

test('the token goes to gateways of Discord, and of another API to those on its host', () => {
  for (const good of ['wss://gateway.discord.gg', 'wss://gateway-us-east1-b.discord.gg/']) expect(isGateway(good, discordApi)).toBe(true)
  for (const wrong of [
    'ws://gateway.discord.gg',
    'wss://discord.gg.example',
    'wss://xdiscord.gg',
    'wss://a:b@gateway.discord.gg',
    'wss://gateway.discord.gg:99',
    'https://gateway.discord.gg',
    'no',
  ])
    expect(isGateway(wrong, discordApi)).toBe(false)
  expect(isGateway('ws://127.0.0.1:9/', 'http://127.0.0.1:8/api')).toBe(true)
  expect(isGateway('ws://discord.example/', 'https://discord.example/api')).toBe(false)
  expect(isGateway('wss://discord.example/', 'https://discord.example/api')).toBe(true)
  expect(isGateway('wss://gateway.discord.gg', 'https://discord.example/api')).toBe(false)
})

test('frames are read strictly', () => {
  expect(frameOf('{"op":10,"d":{"heartbeat_interval":41250},"s":null,"t":null}')).toEqual({ op: 10, d: { heartbeat_interval: 41250 } })
  expect(frameOf('{"op":0,"t":"X","s":3,"d":{"a":1}}')).toEqual({ op: 0, t: 'X', s: 3, d: { a: 1 } })
  const wrong = [
    '',
    'x',
    '1',
    '{}',
    '{"op":10,"d":null}',
    '{"op":10,"d":{"heartbeat_interval":0}}',
    '{"op":9,"d":null}',
    '{"op":0,"t":"READY","s":1,"d":{}}',
  ]
  for (const each of wrong) expect(frameOf(each)).toBeNull()
  expect(frameOf(`"${'x'.repeat(5_000_000)}"`)).toBeNull()
  expect(frameOf(new ArrayBuffer(3))).toBeNull()
})
