import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Figure } from '../stage/report.ts'
import { type Place, openDesk, readNumbers, writers } from './desk.ts'

const run = promisify(execFile)

/** Two concurrent writers, each increasing its own number; in the end no write may be lost. */
export async function proveTwoWriters(claim: string, { place, times }: { readonly place: Place; readonly times: number }): Promise<Figure> {
  await using desk = await openDesk(place)
  const before = await readNumbers(desk)
  await run(process.execPath, ['tests/prove/configuration/writer-process.ts', place, String(times)], { maxBuffer: 64 * 1024 * 1024 })
  const after = await readNumbers(desk)
  const lost = writers.filter((writer) => after[writer] !== before[writer] + times).length
  const figure = `2 x ${times} writes: ${lost} lost`
  return { claim, figure, holds: lost === 0 && after.isWhole }
}
