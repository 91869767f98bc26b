import { expect, test } from 'vitest'
import { z } from 'zod'
import { speechKey } from '../../src/sandbox/accounts.ts'
import { scriptNamed } from '../../src/sandbox/speech/scripts.ts'
import { startSpeech } from '../../src/sandbox/speech/speech.ts'
import { speakTalk } from '../../src/sandbox/speech/spoken.ts'
import { isLoud, readWave } from '../../src/sandbox/speech/wave.ts'
import { realServer } from '../harness/real-server.ts'

const utterance = z.object({ start: z.number(), end: z.number(), speaker: z.number(), transcript: z.string() })
const answerSchema = z.object({ metadata: z.object({ duration: z.number() }), results: z.object({ utterances: z.array(utterance) }) })

test.skipIf(!(await realServer('espeak')))('a talk that two voices speak is heard with its words, when they sound', async () => {
  await using speech = await startSpeech()
  const url = `${speech.recordingBaseUrl}spoken-001.wav`
  const wave = readWave(Buffer.from(await (await fetch(url)).arrayBuffer()))
  if (!wave) throw new Error('no WAV')
  expect(wave).toMatchObject({ channels: 1, sampleRate: 22_050 })
  const answer = await fetch(`${speech.url}/v1/listen?model=nova-3&diarize=true&utterances=true`, {
    method: 'POST',
    headers: { authorization: `Token ${speechKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  })
  const { metadata, results } = answerSchema.parse(await answer.json())
  expect(metadata.duration).toBeCloseTo(wave.samples.length / 2 / 22_050, 2)
  const script = scriptNamed('call-001')
  expect(
    results.utterances.map(({ speaker, transcript }) => ({ speaker: speaker === 0 ? 'AGENT' : 'CUSTOMER', text: transcript })),
  ).toEqual(script?.utterances)
  const recognised = stretchesOf(wave.samples, wave.sampleRate)
  expect(results.utterances).toHaveLength(recognised.length)
  for (const [index, { start, end }] of results.utterances.entries()) {
    expect(start).toBeCloseTo(recognised[index]?.start ?? -1, 2)
    expect(end).toBeCloseTo(recognised[index]?.end ?? -1, 2)
  }
})

test('without the program there is no such recording', async () => {
  expect(await speakTalk('no-such-voice')).toBeNull()
})

/** Where there is sound, with no break of half a second in it. */
function stretchesOf(samples: Buffer, sampleRate: number): readonly { start: number; end: number }[] {
  const found: { start: number; end: number }[] = []
  for (let at = 0; at + 1 < samples.length; at += 2) {
    if (!isLoud(samples, at)) continue
    const moment = at / 2 / sampleRate
    const last = found.at(-1)
    if (last && moment - last.end < 0.5) last.end = moment
    else found.push({ start: moment, end: moment })
  }
  return found
}
