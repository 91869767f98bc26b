import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type CallScript, scriptNamed, type ScriptLine } from './scripts.ts'
import { rounded, type TimedUtterance, timedUtterances } from './timing.ts'
import { isLoud, readWave, wave } from './wave.ts'

/** A scripted call said aloud. When each utterance begins and ends is measured on its sound; its words are spread over it by their length. */
export type SpokenTalk = { readonly script: CallScript; readonly utterances: readonly TimedUtterance[]; readonly recording: Buffer }

export const spokenName = 'spoken-001.wav'

const run = promisify(execFile)
const scriptName = 'call-001'
const voices = { AGENT: 'en-us+f3', CUSTOMER: 'en+m3' } as const
const wordsPerMinute = '165'
const programDeadlineMs = 10_000
const mostBytesOfUtterance = 8 * 1024 * 1024
const pauseSeconds = 0.6

/** Two voices of espeak-ng, https://github.com/espeak-ng/espeak-ng. Null if the program is not on PATH. */
export async function speakTalk(program = 'espeak-ng'): Promise<SpokenTalk | null> {
  const script = scriptNamed(scriptName)
  if (!script) return null
  try {
    return joined(script, await Promise.all(script.utterances.map((utterance) => say(program, utterance))))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

type Said = { readonly samples: Buffer; readonly sampleRate: number }

async function say(program: string, { speaker, text }: ScriptLine): Promise<Said> {
  const parameters = ['-v', voices[speaker], '-s', wordsPerMinute, '-z', '--stdout', '--', text]
  const { stdout } = await run(program, parameters, { encoding: 'buffer', timeout: programDeadlineMs, maxBuffer: mostBytesOfUtterance })
  const facts = readWave(stdout)
  if (!facts) throw new Error(`${program} wrote no WAV`)
  return { samples: withoutSilentEnds(facts.samples), sampleRate: facts.sampleRate }
}

function joined(script: CallScript, said: readonly Said[]): SpokenTalk {
  const sampleRate = said[0]?.sampleRate ?? 1
  const pause = Buffer.alloc(Math.round(pauseSeconds * sampleRate) * 2)
  const sound: Buffer[] = [pause]
  let at = pause.length
  const utterances = timedUtterances(script).map((utterance, index) => {
    const samples = said[index]?.samples ?? Buffer.alloc(0)
    const measured = movedTo(utterance, at / 2 / sampleRate, (at + samples.length) / 2 / sampleRate)
    sound.push(samples, pause)
    at += samples.length + pause.length
    return measured
  })
  return { script, utterances, recording: wave({ title: spokenName, sampleRate, samples: Buffer.concat(sound) }) }
}

function movedTo(utterance: TimedUtterance, start: number, end: number): TimedUtterance {
  const pace = (end - start) / (utterance.end - utterance.start)
  const moved = (seconds: number): number => rounded(start + (seconds - utterance.start) * pace)
  const words = utterance.words.map((word) => ({ ...word, start: moved(word.start), end: moved(word.end) }))
  return { ...utterance, start: rounded(start), end: rounded(end), words }
}

function withoutSilentEnds(samples: Buffer): Buffer {
  let [from, to] = [0, samples.length - (samples.length % 2)]
  while (from < to && !isLoud(samples, from)) from += 2
  while (to > from && !isLoud(samples, to - 2)) to -= 2
  return samples.subarray(from, to)
}
