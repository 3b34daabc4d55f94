import { describe, expect, test } from 'vitest'
import { countTraffic, trafficIn } from '../../src/cell/network/traffic.ts'

const head = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
`

describe('the counters of a network', () => {
  test('are summed over all interfaces but loopback, also where a column touches the name', () => {
    const text = `${head}    lo:  999 9 0 0 0 0 0 0 999 9 0 0 0 0 0 0
  eth0: 1500 10 0 0 0 0 0 0 700 5 0 0 0 0 0 0
wlan0:18446744 1 0 0 0 0 0 0 3 1 0 0 0 0 0 0
`
    expect(trafficIn(text)).toEqual({ bytesOut: 703, bytesIn: 1500 + 18446744 })
  })

  test('are zero if there is only loopback, and nothing if there is no such process', () => {
    expect(trafficIn(`${head}    lo:  999 9 0 0 0 0 0 0 999 9 0 0 0 0 0 0\n`)).toEqual({ bytesOut: 0, bytesIn: 0 })
    const counter = countTraffic(2 ** 22 + 1)
    expect(counter.read()).toBeNull()
    counter.close()
  })

  test('are those of the kernel, and can be closed twice', () => {
    const counter = countTraffic(process.pid)
    expect(counter.read()).toEqual({ bytesOut: expect.any(Number), bytesIn: expect.any(Number) })
    counter.close()
    counter.close()
    expect(counter.read()).toBeNull()
  })
})
