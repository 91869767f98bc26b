import { expect, test } from 'vitest'
import { createTestApp } from '../harness/app.ts'
import { startOtlpCollector } from '../harness/otlp-collector.ts'
import { waitFor } from '../harness/wait-for.ts'

const parentId = '00f067aa0ba902b7'

/** What the platform is sent for a request with this flag, by what is recorded of it: `-01`, or `-00`. */
async function flagsFor(
  environment: Readonly<Record<string, string>>,
  requests: readonly Readonly<Record<string, string>>[],
): Promise<readonly string[]> {
  await using collector = await startOtlpCollector()
  await using app = await createTestApp({ environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...environment } })
  const { token } = await app.signIn('agent1@demo.example')
  const flags: string[] = []
  for (const [index, { flag = '01', ...others }] of requests.entries()) {
    const id = String(index + 1).padStart(32, 'c')
    const headers = { traceparent: `00-${id}-${parentId}-${flag}`, ...others }
    await app.rest('POST', '/graphql', { token, headers, body: { query: '{ leads(first: 1) { totalCount } }' } })
    const sent = String(app.standIns.platform.calls('leads').at(-1)?.headers['traceparent'])
    // The trace stays that of the client, recorded or not.
    expect(sent).toMatch(new RegExp(`^00-${id}-(?!${parentId})`))
    flags.push(sent.slice(-2))
    const isRecorded = (): boolean => collector.spans.some(({ traceId, parentSpanId }) => traceId === id && parentSpanId === parentId)
    if (sent.endsWith('01')) await waitFor(isRecorded)
    expect(isRecorded()).toBe(sent.endsWith('01'))
  }
  return flags
}

const both = [{ flag: '01' }, { flag: '00' }]

test('a stranger can neither have traces recorded nor keep them from it', async () => {
  const TRUST_PROXY = '10.0.0.0/8'
  expect(await flagsFor({ TRUST_PROXY, OTEL_TRACES_SAMPLER_ARG: '0' }, both)).toEqual(['00', '00'])
  expect(await flagsFor({ TRUST_PROXY, OTEL_TRACES_SAMPLER_ARG: '1' }, both)).toEqual(['01', '01'])
})

test('a trusted proxy decides about what it sends itself, and not about what it hands on', async () => {
  const handedOn = both.map((request) => ({ ...request, 'x-forwarded-for': '203.0.113.9' }))
  expect(await flagsFor({ OTEL_TRACES_SAMPLER_ARG: '0' }, [...both, ...handedOn])).toEqual(['01', '00', '00', '00'])
  expect(await flagsFor({ OTEL_TRACES_SAMPLER_ARG: '1' }, [...both, ...handedOn])).toEqual(['01', '00', '01', '01'])
})
