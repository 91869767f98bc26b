import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createBreakers } from '../../src/kernel/breakers.ts'
import { guardPorts } from '../../src/providers/guarded-ports.ts'
import { addressOfModel, createLanguageModel } from '../../src/providers/models/language-model.ts'
import { createPortGuard } from '../../src/providers/port-guard.ts'
import { openSpeech } from '../../src/providers/speech/registry.ts'
import { modelKey, modelName, speechKey } from '../../src/sandbox/accounts.ts'
import { startModels } from '../../src/sandbox/models/models.ts'
import { startSpeech } from '../../src/sandbox/speech/speech.ts'
import { waitFor } from '../harness/wait-for.ts'

// Providers whose answers may take minutes: only a server that answers nothing at all is paused.

/** Accepts connections and answers nothing. */
async function startSilent() {
  const sockets: Socket[] = []
  const server = createServer((socket) => void sockets.push(socket.on('error', () => undefined).resume())).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function guards() {
  const log = pino({ level: 'silent' })
  const breakers = createBreakers(log)
  return { breakers, guarded: guardPorts(createPortGuard({ log, breakers })) }
}

const nowhere = { url: null, apiKey: null }

/** Asks a model at this address for a form. */
function formsAt(server: string, { guarded }: ReturnType<typeof guards>) {
  const choice = { provider: 'openai-compatible', model: modelName, temperature: 0, systemPromptAddendum: '' }
  const openaiCompatible = { url: `${server}/v1`, apiKey: modelKey }
  const endpoints = { openai: nowhere, anthropic: nowhere, google: nowhere, openaiCompatible }
  const model = guarded.languageModel(createLanguageModel(choice, endpoints), { ...choice, url: addressOfModel(choice, endpoints) })
  const schema = z.object({ is: z.boolean() })
  return (signal: AbortSignal) => model.structured({ instructions: 'Fill the form.', prompt: 'Is it?', schema, signal })
}

test('a language model whose server answers nothing is paused, although nobody else asks', async () => {
  await using silent = await startSilent()
  const own = guards()
  const ask = formsAt(silent.url, own)
  const leaving = new AbortController()
  const asked = Promise.allSettled([1, 2, 3].map(() => ask(leaving.signal)))
  await waitFor(() => own.breakers.paused().length > 0)
  expect(own.breakers.paused()).toMatchObject([{ party: 'language-model', cause: 'silence' }])
  await expect(ask(leaving.signal)).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE', data: { party: 'language-model' } })
  leaving.abort()
  await asked
})

test('a language model that answers slowly stays in use; its server is asked without a key', async () => {
  await using models = await startModels()
  const own = guards()
  const ask = formsAt(models.url, own)
  const release = models.holdAnswers('chat/completions')
  for (let form = 0; form < 3; form += 1) models.answerNext({ is: true })
  const asked = Promise.all([1, 2, 3].map(() => ask(AbortSignal.timeout(60_000))))
  const probes = () => models.calls('GET /v1')
  await waitFor(() => probes().length === 2)
  expect(probes().map(({ path, headers }) => [path, headers.authorization])).toEqual([
    ['/v1', undefined],
    ['/v1', undefined],
  ])
  expect(own.breakers.paused()).toEqual([])
  release()
  expect((await asked).map(({ output }) => output)).toEqual([{ is: true }, { is: true }, { is: true }])
})

test('a speech provider whose server answers nothing is paused; one that answers slowly is not', async () => {
  await using silent = await startSilent()
  await using standIn = await startSpeech()
  standIn.pace({ ms: 4_000 })
  const own = guards()
  const leaving = new AbortController()
  const transcribe = async (url: string, signal: AbortSignal) => {
    const opened = openSpeech({ url, apiKey: speechKey })
    if (!opened) throw new Error('the key is set')
    await using speech = opened.speech
    const audio = { kind: 'ADDRESS', url: `${standIn.recordingBaseUrl}call-002.wav` } as const
    return await own.guarded.speech(speech, opened).transcribe({ audio, twoChannels: false, signal })
  }
  const slow = Promise.all([1, 2, 3].map(() => transcribe(standIn.url, AbortSignal.timeout(60_000))))
  const stalled = Promise.allSettled([1, 2, 3].map(() => transcribe(silent.url, leaving.signal)))
  await waitFor(() => own.breakers.paused().length > 0)
  await expect(transcribe(silent.url, leaving.signal)).rejects.toMatchObject({ data: { party: 'speech' } })
  leaving.abort()
  await stalled
  expect((await slow).map(({ language }) => language)).toEqual(['en', 'en', 'en'])
  expect(own.breakers.paused()).toHaveLength(1)
})
