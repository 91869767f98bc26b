import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../../src/kernel/errors.ts'
import { freePort } from '../../harness/free-port.ts'
import { createTempDir } from '../../harness/temp-dir.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { type Figure, say } from '../stage/report.ts'
import { type Desk, type Place, openDesk, readNumbers, writeNumber } from './desk.ts'

export type DurableRedis = AsyncDisposable & { readonly url: string; start(): Promise<void>; kill(): Promise<void> }

/** A Redis that writes every command to its file before it answers. */
export async function startDurableRedis(binary: string): Promise<DurableRedis> {
  const directory = await createTempDir()
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}`
  const flags = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    directory.path,
    '--save',
    '',
    '--appendonly',
    'yes',
    '--appendfsync',
    'always',
  ]
  let end = async (): Promise<void> => undefined
  const redis = {
    url,
    async start() {
      const child = spawn(binary, flags, { stdio: 'ignore' })
      const exited = once(child, 'exit')
      end = async () => {
        child.kill('SIGKILL')
        await exited
      }
      await waitFor(() => answers(`redis:${url}`), { deadlineMs: 20_000, what: 'Redis' })
    },
    kill: () => end(),
    async [Symbol.asyncDispose]() {
      await end()
      await directory[Symbol.asyncDispose]()
    },
  }
  await redis.start()
  return redis
}

async function answers(place: Place): Promise<boolean> {
  await using desk = await openDesk(place)
  return (await readNumbers(desk)).isWhole
}

/** Kills Redis during writes. */
export async function proveKilledRedis(redis: DurableRedis, rounds: number): Promise<Figure> {
  const claim = 'Redis (append-only, fsync always) killed during writes'
  let lost = 0
  let acknowledged = 0
  await using desk = await openDesk(`redis:${redis.url}`)
  for (let round = 1; round <= rounds; round += 1) {
    const writing = writeUntilRefused(desk)
    await delay(20 + Math.random() * 60)
    await redis.kill()
    const last = await writing
    await redis.start()
    const { left, isWhole } = await waitFor(() => readNumbers(desk), { deadlineMs: 20_000, what: 'the instance to find Redis again' })
    if (!isWhole || left < last.number) lost += 1
    acknowledged += last.count
    if (round % 10 === 0) say(`${claim}: ${round} of ${rounds}`)
  }
  const figure = `${rounds} kills in ${acknowledged} acknowledged writes: ${lost} lost`
  return { claim, figure, holds: lost === 0 && acknowledged > rounds }
}

async function writeUntilRefused(desk: Desk): Promise<{ number: number; count: number }> {
  const { left } = await readNumbers(desk)
  for (let number = left + 1; ; number += 1) {
    try {
      await writeNumber(desk, 'left', number)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { number: number - 1, count: number - 1 - left }
    }
  }
}
