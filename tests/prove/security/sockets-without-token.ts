import { setTimeout as pause } from 'node:timers/promises'
import { frame, opcodes, openRawWebSocket, type RawWebSocket, unfinishedFrame } from '../../harness/raw-web-socket.ts'
import { inFlight } from '../stage/client.ts'
import { type Figure, say } from '../stage/report.ts'
import { startWatchedService, type WatchedService } from './watched.ts'

const [sockets, addresses] = [1_000, 5]
const most = { kilobytes: 64, slowestMs: 1_000 }
/** A quarter of the node that a small installation has. */
const small = { NODE_OPTIONS: '--max-semi-space-size=8 --v8-pool-size=1 --max-old-space-size=512' }

const fragment = (index: number): Buffer => frame(index === 0 ? opcodes.text : opcodes.continuation, Buffer.alloc(700, 120), { fin: false })
const piece = Buffer.alloc(360)
/** What each socket may send: every piece is sent alone. */
const shapes: Readonly<Record<string, readonly Buffer[]>> = {
  'nothing, and a head of 15 kB': [],
  'a message of 15 fragments': [Buffer.concat(Array.from({ length: 15 }, (_, index) => fragment(index)))],
  'a message in 30 pieces': [unfinishedFrame(piece, 1_000_000), ...Array.from({ length: 29 }, () => piece)],
}
/** More than it may. Node reads up to 64 kB before anything can count them: they are garbage when the socket is closed. */
const tooMuch: typeof shapes = {
  'a message of 120 fragments': [Buffer.concat(Array.from({ length: 120 }, (_, index) => fragment(index)))],
  'over a megabyte, as fast as it is taken': [unfinishedFrame(Buffer.alloc(1_000_000), 1_040_000)],
}

/** A thousand web sockets without a token that send what they may, or more: what each costs the process, and whether others are served. */
export async function proveSocketsWithoutToken(): Promise<readonly Figure[]> {
  await using service = await startWatchedService({ settings: small })
  const port = Number(new URL(service.url).port)
  // The first ones make the process as large as it becomes by its code.
  await roundOf(service, port, [])
  const figures: Figure[] = []
  for (const [name, pieces] of Object.entries(shapes)) {
    say(`${sockets} sockets: ${name}`)
    const { kilobytes, heldKilobytes, opened } = await roundOf(service, port, pieces)
    figures.push({
      claim: `${opened} web sockets without a token, with a heap of 512 MB: ${name}`,
      figure: `${kilobytes.toFixed(0)} kB of RSS for each, ${heldKilobytes.toFixed(0)} kB held after a collection of garbage`,
      holds: opened === sockets && kilobytes <= most.kilobytes,
    })
  }
  for (const [name, pieces] of Object.entries(tooMuch)) {
    say(`${sockets} sockets: ${name}`)
    const { kilobytes, heldKilobytes, closed } = await roundOf(service, port, pieces, 2_500)
    figures.push({
      claim: `${sockets} web sockets without a token, with a heap of 512 MB, send more than they may: ${name}`,
      figure: `${closed} closed; 2.5 s later ${heldKilobytes.toFixed(0)} kB held for each after a collection of garbage, ${kilobytes.toFixed(0)} kB of RSS before it`,
      holds: closed === sockets && heldKilobytes <= most.kilobytes,
    })
  }
  const floods = {
    pings: frame(opcodes.ping),
    pongs: frame(opcodes.pong),
    'empty fragments': frame(opcodes.continuation, '', { fin: false }),
  }
  for (const [name, one] of Object.entries(floods)) figures.push(await flood(service, port, { name, one }))
  return figures
}

// oxlint-disable-next-line max-params -- what is sent, and when it is read
async function roundOf(service: WatchedService, port: number, pieces: readonly Buffer[], readAfterMs = 300) {
  const before = [(await service.read()).heldMb, (await service.read()).rssMb] as const
  const clients = await openAll(port, sockets)
  for (const bytes of pieces) {
    for (const { socket } of clients) socket.write(bytes)
    // Each is a piece of its own on the network, and before the ten seconds for a first message are over.
    await pause(20)
  }
  await pause(readAfterMs)
  const closed = clients.filter((client) => client.ended).length
  const { rssMb } = await service.read({ collect: false })
  const { heldMb } = await service.read()
  for (const { socket } of clients) socket.destroy()
  await pause(1_000)
  const each = (mb: number): number => Math.max(0, mb * 1_024) / sockets
  return { opened: clients.length, closed, kilobytes: each(rssMb - before[1]), heldKilobytes: each(heldMb - before[0]) }
}

function openAll(port: number, count: number): Promise<RawWebSocket[]> {
  return inFlight(count, 50, (index) =>
    openRawWebSocket(port, { localAddress: `127.0.0.${2 + (index % addresses)}`, header: `X-Long: ${'x'.repeat(15_000)}` }),
  )
}

/** 200 sockets send the frame again and again, and connect again when they are closed, while somebody asks for the health. */
async function flood(
  service: WatchedService,
  port: number,
  { name, one }: { readonly name: string; readonly one: Buffer },
): Promise<Figure> {
  say(`a flood of ${name}`)
  const bytes = Buffer.concat([frame(opcodes.text, 'x', { fin: false }), ...Array.from({ length: 1_000 }, () => one)])
  const endsAt = performance.now() + 5_000
  const [slowest, codes] = [{ ms: 0 }, new Map<number | null, number>()]
  const attack = inFlight(200, 200, async (index) => {
    while (performance.now() < endsAt) {
      const client = await openRawWebSocket(port, { localAddress: `127.0.0.${2 + (index % addresses)}` })
      while (!client.ended && client.closed === null && performance.now() < endsAt + 2_000) {
        if (client.socket.writable && client.socket.writableLength === 0) client.socket.write(bytes)
        await pause(5)
      }
      const code = client.closed?.code ?? null
      codes.set(code, (codes.get(code) ?? 0) + 1)
      client.socket.destroy()
    }
  })
  const ask = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      const startedAt = performance.now()
      await (await fetch(`${service.url}/health`)).text()
      slowest.ms = Math.max(slowest.ms, performance.now() - startedAt)
      await pause(50)
    }
  }
  await Promise.all([attack, ask()])
  const closed = [...codes].map(([code, count]) => `${count} with ${code ?? 'a reset'}`).join(', ')
  return {
    claim: `200 sockets without a token flood with ${name} for 5 s, and connect again`,
    figure: `closed: ${closed}; /health answered after ${slowest.ms.toFixed(0)} ms at most; RSS ${Math.round((await service.read()).rssMb)} MB`,
    holds: slowest.ms <= most.slowestMs && codes.size > 0,
  }
}
