import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { type Numbers, type Place, type Writer, openDesk, readNumbers, writers } from './desk.ts'
import { type Figure, say } from '../stage/report.ts'

export type Killing = { readonly claim: string; readonly place: Place; readonly rounds: number }

/** Kills writers during their writes, many times, and checks the documents each time. */
export async function proveKilledWriters({ claim, place, rounds }: Killing): Promise<Figure> {
  let torn = 0
  let lost = 0
  let acknowledged = 0
  for (let round = 1; round <= rounds; round += 1) {
    const acknowledgedWrites = await killWriter(place)
    const present = await readWhole(place)
    if (present === null) torn += 1
    else lost += writers.filter((writer) => present[writer] < (acknowledgedWrites.last.get(writer) ?? 0)).length
    acknowledged += acknowledgedWrites.count
    if (round % 50 === 0) say(`${claim}: ${round} of ${rounds}`)
  }
  const figure = `${rounds} kills in ${acknowledged} acknowledged writes: ${torn} torn, ${lost} lost`
  return { claim, figure, holds: torn === 0 && lost === 0 && acknowledged > rounds }
}

/** Null if the document cannot be read or a version is missing. */
async function readWhole(place: Place): Promise<Numbers | null> {
  await using desk = await openDesk(place)
  try {
    const numbers = await readNumbers(desk)
    return numbers.isWhole ? numbers : null
  } catch {
    return null
  }
}

type Acknowledged = { readonly count: number; readonly last: ReadonlyMap<Writer, number> }

async function killWriter(place: Place): Promise<Acknowledged> {
  const child = spawn(process.execPath, ['tests/prove/configuration/writer-process.ts', place], { stdio: ['ignore', 'pipe', 'inherit'] })
  const text = readAll(child)
  const exited = once(child, 'exit')
  if (child.stdout) await once(child.stdout, 'data')
  await delay(Math.random() * 60)
  child.kill('SIGKILL')
  await exited
  return acknowledgedIn(await text)
}

async function readAll({ stdout }: ChildProcess): Promise<string> {
  let text = ''
  for await (const chunk of stdout ?? []) text += String(chunk)
  return text
}

function acknowledgedIn(text: string): Acknowledged {
  const last = new Map<Writer, number>()
  const lines = text.split('\n').filter((line) => /^(left|right) \d+$/.test(line))
  for (const line of lines) {
    const [name, number] = line.split(' ')
    const writer = writers.find((one) => one === name)
    if (writer) last.set(writer, Number(number))
  }
  return { count: lines.length, last }
}
