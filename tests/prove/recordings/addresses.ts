import { createTestApp } from '../../harness/app.ts'
import { attackAddresses } from '../../harness/attack-addresses.ts'
import { recordedCalls, startMedia } from '../../harness/recordings.ts'
import type { Figure } from '../stage/report.ts'

const claim = 'Addresses that lead inside (spellings, mapped and translated ranges, names, rebinding, redirects)'

/** Each address of the attacks, sent by a manager over HTTP; a canary server on this machine counts the requests it gets. */
export async function proveAddresses(): Promise<Figure> {
  await using canary = await startMedia((_request, response) => response.end('reached'), '::')
  await using redirector = await startMedia((request, response) => {
    const to = new URL(request.url ?? '/', 'http://redirector').searchParams.get('to')
    response.writeHead(to === null ? 404 : 302, to === null ? {} : { location: to }).end()
  })
  const { addresses, resolve } = attackAddresses(canary.port, redirector.url)
  await using app = await createTestApp({ environment: { RECORDING_ORIGINS: redirector.url }, resolveHost: resolve })
  const { token } = await app.signIn('manager@demo.example')
  const [call] = await recordedCalls(app, token)
  let refused = 0
  for (const recordingUrl of addresses) {
    const { status } = await app.rest('POST', '/api/recordings/analyze', { token, body: { callId: call?.id, recordingUrl } })
    if (status === 400) refused += 1
  }
  const connections = canary.connections()
  const transcriptions = app.standIns.speech.calls('POST /v1/listen').length
  // A canary that nobody can reach would prove nothing.
  const isReachable = (await fetch(`http://127.0.0.1:${canary.port}/`)).ok && canary.connections() === connections + 1
  const figure = `${addresses.length} addresses: ${refused} refused, ${connections} connections to the canary, ${transcriptions} passed to the speech provider`
  const holds = addresses.length >= 120 && refused === addresses.length && connections === 0 && transcriptions === 0 && isReachable
  return { claim, figure, holds }
}
