import { request } from 'undici'
import { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import { isCreditUsedUp } from '../../kernel/refusal.ts'
import type { Speech } from '../../ports/speech.ts'
import { openSpeech } from '../../providers/speech/registry.ts'
import { checkBus } from '../../server/operations/health-checks.ts'
import type { Settings } from '../../settings/settings.ts'
import { checkAddress } from './address-checks.ts'
import { failed, type Finding, findingOfError, ok, warning } from './finding.ts'
import type { OpenedPorts } from './open-ports.ts'

const part = z.object({ state: z.string(), reason: z.string().optional() })
/** The second is what everybody sees who is no operator. */
const healthSchema = z.union([
  z.object({ status: z.string(), parts: z.record(z.string(), part) }),
  z.strictObject({ status: z.enum(['up', 'down']) }).transform(({ status }) => ({ status, parts: null })),
])

const noResult = 'Its check has no result yet, or hangs'

const nameAddress = 'Name the service with --address, as its start shows it'

/** Whether it has port 0: the system chooses the port, so nobody knows the address but the running service. */
export function isOpenPort(url: string): boolean {
  return URL.parse(url)?.port === '0'
}

/** What cannot be checked without the port. */
export function portNotKnown(part: string): Finding {
  return warning(part, 'Not checked: PORT is 0, so the port of the service is not known', nameAddress)
}

/** What the running service reports of its own parts. */
export async function checkService(address: string, signal: AbortSignal): Promise<readonly Finding[]> {
  if (isOpenPort(address)) return [portNotKnown('service')]
  try {
    const { body } = await request(`${address}/health`, { signal: AbortSignal.any([signal, AbortSignal.timeout(5_000)]) })
    const { status, parts } = healthSchema.parse(await body.json())
    if (parts === null) return [partsNotShown(address, status)]
    const bad = Object.entries(parts).filter(([, { state }]) => state !== 'up')
    if (bad.length === 0) return [ok('service', `It runs at ${address}, status ${status}`)]
    return bad.map(([part, { state, reason = noResult }]) =>
      (state === 'down' ? failed : warning)(`service.${part}`, reason, 'See the part in docs/operations.md, and the log of the service'),
    )
  } catch (error) {
    if (error instanceof z.ZodError) return [failed('service', `${address} is another program`, 'Name the service with --address')]
    const found = `No service answers at ${address}: what only a running one knows is not checked`
    return [warning('service', found, 'Start it with npm start, or name it with --address')]
  }
}

function partsNotShown(address: string, status: string): Finding {
  const action = 'Add this machine (loopback) to METRICS_FROM, or open Health in the console as a manager'
  return (status === 'up' ? warning : failed)(
    'service',
    `It runs at ${address}, status ${status}, but does not show its parts here`,
    action,
  )
}

/** Where providers reach the service. */
export async function checkPublicAddress(publicUrl: string | null, signal: AbortSignal): Promise<readonly Finding[]> {
  if (publicUrl === null) {
    const action = 'Set PUBLIC_URL to the address under which the provider reaches this service'
    return [warning('public-address', 'PUBLIC_URL is not set: no provider can report calls', action)]
  }
  if (isOpenPort(publicUrl)) return [portNotKnown('public-address')]
  const url = `${publicUrl.replace(/\/+$/, '')}/health`
  const [findings, isService] = await Promise.all([checkAddress('public-address', url, signal), answersAsService(url, signal)])
  return findings.map((finding) => (finding.part === 'public-address' && finding.state === 'ok' && !isService ? otherProgram : finding))
}

const otherProgram = warning(
  'public-address',
  'Something answers at PUBLIC_URL, but not as this service does at /health',
  'Correct PUBLIC_URL, or the path that the proxy sends on; if the proxy hides /health, test that /hooks/ comes through',
)

async function answersAsService(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const { body } = await request(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(5_000)]) })
    return healthSchema.safeParse(await body.json()).success
  } catch {
    return false
  }
}

/** Whether events are delivered, and whether some were given up or wait for a configuration. */
export async function checkEvents({ bus }: Pick<OpenedPorts, 'bus'>): Promise<readonly Finding[]> {
  const { problem } = await checkBus(bus)
  const { events, oldestAgeMs, parked, receivers } = await bus.depth()
  const waiting = Object.entries(receivers).filter(([, depth]) => depth.parked > 0)
  return [
    problem === null
      ? ok('events', `${events} events wait${events > 0 ? `, the oldest for ${Math.round(oldestAgeMs / 1_000)} s` : ''}; no dead letters`)
      : warning('events', problem, 'See GET /api/events/dead for the reasons, and docs/events.md'),
    ...(parked === 0
      ? []
      : [
          warning(
            'events.parked',
            `${parked} events wait until their workspace is configured: ${waiting.map(([name, depth]) => `${name} ${depth.parked}`).join(', ')}`,
            'Configure what the findings of the workspaces name; the events follow by themselves',
          ),
        ]),
  ]
}

/** Sends the speech provider an empty recording: it refuses a wrong key before it reads the audio, and nothing is charged. */
export async function checkSpeech({ speech }: Pick<Settings, 'speech'>, signal: AbortSignal): Promise<readonly Finding[]> {
  const opened = openSpeech(speech)
  if (opened === null) {
    return [warning('speech', 'DEEPGRAM_API_KEY is not set: recordings cannot be transcribed', 'Set it if calls are to be analysed')]
  }
  await using provider = opened.speech
  return [await speechFinding(provider, signal)]
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

async function speechFinding(speech: Speech, signal: AbortSignal): Promise<Finding> {
  const works = ok('speech', 'The provider takes the key')
  try {
    const audio = { kind: 'BYTES', contentType: 'audio/wav', open: async () => nothing() } as const
    await speech.transcribe({ audio, twoChannels: false, signal })
    return works
  } catch (error) {
    if (error instanceof AppError && error.reason === 'INVALID_INPUT') return works
    if (error instanceof AppError && error.reason === 'NOT_CONFIGURED')
      return failed('speech', error.message, isCreditUsedUp(error) ? 'Top up the account with the provider' : 'Correct DEEPGRAM_API_KEY')
    return findingOfError('speech', error, { who: 'the provider', action: 'Check the address (DEEPGRAM_URL) and the network' })
  }
}
