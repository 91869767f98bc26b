import { spawn } from 'node:child_process'
import { once } from 'node:events'

export type Toured = { readonly code: number | null; readonly lastLine: string; readonly tookMs: number }

/** Plays the whole tour; calls `onStep` once, when the tour has printed that step. */
export async function playTour(
  url: string,
  caFile: string,
  { step, onStep }: { step: string; onStep: () => Promise<void> },
): Promise<Toured> {
  const startedAt = performance.now()
  const env = { PATH: process.env['PATH'] ?? '', NODE_EXTRA_CA_CERTS: caFile }
  const child = spawn(process.execPath, ['src/commands/tour.ts', url], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  let said = ''
  const happened: Promise<void>[] = []
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    said += piece
    if (happened.length === 0 && said.includes(step)) happened.push(onStep())
  })
  await exited
  if (child.exitCode !== 0) process.stderr.write(said)
  if (happened.length === 0) throw new Error(`the tour did not come to "${step}"`)
  await Promise.all(happened)
  return { code: child.exitCode, lastLine: said.trim().split('\n').at(-1)?.trim() ?? '', tookMs: performance.now() - startedAt }
}
