import { createConnection } from 'node:net'

/** Counts the commands that clients send to Redis, by the family of their key; the returned function ends it and reports the 40 most frequent. */
export function countSent(redisUrl: string, report: (text: string) => void): () => Promise<void> {
  const { port } = new URL(redisUrl)
  const counts = new Map<string, number>()
  const startedAt = performance.now()
  const socket = createConnection({ port: Number(port), host: '127.0.0.1' }, () => socket.write('MONITOR\r\n'))
  let rest = ''
  socket.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line.includes(' lua] ')) continue
      const [, command = ''] = /\] "(\w+)"/.exec(line) ?? []
      const [, family = ''] = /"sidecar:([a-z-]+:?(?:[a-z-]+(?=[:"]))?)/.exec(line) ?? []
      const script = command.toLowerCase() === 'eval' ? ` ${line.length} characters` : ''
      const name = `${command.toLowerCase()} ${family}${script === '' ? '' : ' (script)'}`
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
  })
  return async () => {
    socket.destroy()
    const passed = (performance.now() - startedAt) / 1_000
    const rows = [...counts].toSorted((a, b) => b[1] - a[1]).slice(0, 40)
    for (const [name, count] of rows) report(`${(count / passed).toFixed(1)}/s ${name}`)
  }
}
