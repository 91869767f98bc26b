import { createServer } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { listen } from '../../src/server/http/listen.ts'

const servers = [createServer(), createServer()] as const
afterAll(() => servers.forEach((server) => server.close()))

test('a port that another process uses is named, with what to do', async () => {
  const host = '127.0.0.1'
  const port = await listen(servers[0], { host, port: 0 })
  const again = (setting?: string) => listen(servers[1], { host, port, ...(setting !== undefined && { setting }) })
  await expect(again()).rejects.toThrow(`Another process uses 127.0.0.1:${port}: stop it, or set PORT to another number`)
  await expect(again('METRICS_ADDRESS')).rejects.toThrow(`127.0.0.1:${port}: stop it, or set METRICS_ADDRESS to another one`)
})
