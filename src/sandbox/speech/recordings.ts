import { type CallScript, scriptNamed, scripts } from './scripts.ts'
import { timedUtterances } from './timing.ts'
import { writeWave } from './wave.ts'

const pitches = [185, 120]
const made = new Map<string, Buffer>()

export const recordingNames: readonly string[] = scripts.map((script) => `${script.name}.wav`)

/** The recording `call-001.wav` and so on, made on first use; undefined for a name that no script has. */
export function recordingNamed(name: string): Buffer | undefined {
  const script = scriptNamed(name.replace(/\.wav$/, ''))
  if (!script) return undefined
  const bytes = made.get(name) ?? recordingOf(script)
  made.set(name, bytes)
  return bytes
}

function recordingOf(script: CallScript): Buffer {
  const stretches = timedUtterances(script).map((utterance) => ({
    startSeconds: utterance.start,
    endSeconds: utterance.end,
    pitchHertz: pitches[utterance.speaker] ?? 150,
  }))
  return writeWave(script.name, stretches)
}
