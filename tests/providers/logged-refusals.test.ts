import { pino } from 'pino'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { systemClock } from '../../src/kernel/clock.ts'
import { guardPorts } from '../../src/providers/guarded-ports.ts'
import { createLanguageModel } from '../../src/providers/models/language-model.ts'
import { createPlatformEndpoint } from '../../src/providers/platform/endpoint.ts'
import { createPortGuard } from '../../src/providers/port-guard.ts'
import { deepgram } from '../../src/providers/speech/deepgram/provider.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { createOutboundTelephony, createTelephony } from '../../src/providers/telephony/registry.ts'
import { startStandIn } from '../../src/sandbox/stand-in.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { retentionOf } from '../../src/wiring/stored-values.ts'

/** What a person typed, or a key, as a vendor may quote it. */
const planted = 'planted secret +919876543210 sk-planted'
const signal = AbortSignal.timeout(60_000)

/** A vendor that refuses everything with this answer, and what the service logs about it. */
async function refusing(status: number, body: Readonly<Record<string, unknown>>) {
  await using opening = new AsyncDisposableStack()
  const vendor = opening.use(await startStandIn({ name: 'vendor', handle: () => ({ status, body }) }))
  const dir = opening.use(await createTempDir())
  const store = createSqliteStore({ dataDir: dir.path, clock: systemClock, retentionOf })
  opening.defer(() => store.close())
  const logged: string[] = []
  const log = pino({ base: null }, { write: (line: string) => void logged.push(line) })
  const running = opening.move()
  return {
    url: vendor.url,
    deps: { store, clock: systemClock, log, defaultCountry: 'IN' } as const,
    guarded: guardPorts(createPortGuard({ log })),
    log,
    logged: () => logged.filter((line) => line.includes('provider.refused')).map((line): unknown => JSON.parse(line)),
    text: () => logged.join('\n'),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
type Refusing = Awaited<ReturnType<typeof refusing>>

const platformError = { message: `No ${planted}`, extensions: { code: 'BAD_USER_INPUT', subCode: 'INVALID_ARGS_DATA' } }
const ozonetel = (url: string) => ({
  id: 'ozonetel',
  apiUrl: url,
  eventsUrl: url,
  account: 'a',
  apiKey: 'sk-planted',
  authentication: 'API_KEY',
})
const exotel = (url: string) => ({ id: 'exotel', url, account: 'a', apiKey: 'sk-planted', apiToken: 'sk-planted', callerId: '08000000000' })
const model = { provider: 'openai', model: 'm', temperature: 0, systemPromptAddendum: '' }
const nowhere = { url: null, apiKey: null }

type Case = {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly ask: (vendor: Refusing) => Promise<unknown>
  readonly line: Readonly<Record<string, string | boolean>>
}

const vendors: readonly [string, Case][] = [
  [
    'the platform',
    {
      status: 200,
      body: { errors: [platformError], data: null },
      ask: ({ url, log }) =>
        createPlatformEndpoint({ url, graphqlPath: '/graphql', metadataPath: '/metadata', log }).request({
          endpoint: 'records',
          document: 'mutation($data: CallCreateInput!) { createCall(data: $data) { id } }',
          variables: { data: { notes: planted } },
          accessToken: 'sk-planted',
          answer: z.unknown(),
        }),
      line: {
        operation: 'mutation createCall',
        provider: 'platform',
        code: 'BAD_USER_INPUT',
        subCode: 'INVALID_ARGS_DATA',
        reason: 'PROVIDER_REFUSED',
      },
    },
  ],
  [
    'telephony',
    {
      status: 200,
      body: { status: 'error', message: `Disposition ${planted} is unknown` },
      ask: ({ url, guarded, deps }) =>
        guarded
          .telephony(createTelephony(ozonetel(url), deps), { workspaceId: 'w', provider: ozonetel(url) })
          .recordDisposition({ ucid: '1', did: '2', agentId: '3', disposition: planted, notes: planted }),
      line: {
        operation: 'telephony.recordDisposition',
        provider: 'ozonetel',
        code: 'error',
        subCode: 'DISPOSITION',
        reason: 'INVALID_INPUT',
      },
    },
  ],
  [
    'outbound telephony',
    {
      status: 400,
      body: { RestException: { Message: planted, Code: 34001 } },
      ask: ({ url, guarded }) =>
        guarded.outbound(createOutboundTelephony(exotel(url), { defaultCountry: 'IN' }), { workspaceId: 'w', provider: exotel(url) }).dial({
          agentPhoneNumber: '+919800000001',
          phoneNumber: '+919876543210',
          recorded: false,
          statusWebhookUrl: null,
          reference: '',
        }),
      line: { operation: 'outbound.dial', provider: 'exotel', code: 'HTTP_400', subCode: '34001', reason: 'PROVIDER_REFUSED' },
    },
  ],
  [
    'speech',
    {
      status: 402,
      body: { err_code: 'ASR_PAYMENT_REQUIRED', err_msg: planted },
      ask: async ({ url, guarded }) => {
        await using speech = deepgram.create({ url, apiKey: 'sk-planted' })
        const audio = { kind: 'ADDRESS', url: 'https://rec.example/planted.wav' } as const
        return await guarded
          .speech(speech, { provider: 'deepgram', account: 'sk-planted', url })
          .transcribe({ audio, twoChannels: false, signal })
      },
      line: {
        operation: 'speech.transcribe',
        provider: 'deepgram',
        code: 'HTTP_402',
        subCode: 'ASR_PAYMENT_REQUIRED',
        reason: 'NOT_CONFIGURED',
        isCreditUsedUp: true,
      },
    },
  ],
  [
    'models',
    {
      status: 400,
      body: { error: { message: planted, type: 'invalid_request_error', code: 'context_length_exceeded' } },
      ask: ({ url, guarded }) => {
        const endpoint = { url, apiKey: 'sk-planted' }
        const vendor = createLanguageModel(model, { openai: endpoint, openaiCompatible: nowhere, anthropic: nowhere, google: nowhere })
        const asked = { instructions: '', prompt: planted, schema: z.object({ text: z.string() }), signal }
        return guarded.languageModel(vendor, { ...model, url }).structured(asked)
      },
      line: {
        operation: 'language-model.structured',
        provider: 'openai',
        code: 'HTTP_400',
        subCode: 'context_length_exceeded',
        reason: 'PROVIDER_REFUSED',
      },
    },
  ],
]

test.each(vendors)('logs what %s refused, with its codes and without values', async (_name, { status, body, ask, line }) => {
  await using vendor = await refusing(status, body)
  await expect(ask(vendor)).rejects.toMatchObject({ name: 'AppError' })
  expect(vendor.logged()).toEqual([expect.objectContaining(line)])
  expect(vendor.text()).not.toMatch(/planted|9876543210/)
})
