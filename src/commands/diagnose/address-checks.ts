import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { request } from 'undici'
import { z } from 'zod'
import { failed, type Finding, ok, warning } from './finding.ts'

const maxClockDifferenceMs = 5_000
const dayMs = 86_400_000
const fewDays = 14

/** Whether an address answers, how far its clock is from ours, and how long its certificate is valid. Any status is an answer. */
export async function checkAddress(part: string, url: string, signal: AbortSignal): Promise<readonly Finding[]> {
  const { origin } = new URL(url)
  const [answer, certificate] = await Promise.all([
    checkAnswer(part, url, signal),
    origin.startsWith('https:') ? checkCertificate(part, new URL(url), signal) : [],
  ])
  return [...answer, ...certificate]
}

const configSchema = z.object({ appVersion: z.string().min(1).max(50) })

/** The platform's address, and its version if it tells: servers may have it in what their frontend reads first (a recorded 2.21 has not). */
export async function checkPlatform(url: string, signal: AbortSignal): Promise<readonly Finding[]> {
  const [address, version] = await Promise.all([checkAddress('platform', `${url}/healthz`, signal), versionOf(url, signal)])
  const found = version === null ? 'The platform does not tell its version' : `The platform has version ${version}`
  return [...address, ok('platform.version', `${found} (2.21 and 1.3 are tested)`)]
}

async function versionOf(url: string, signal: AbortSignal): Promise<string | null> {
  try {
    const { body } = await request(`${url}/client-config`, { signal: AbortSignal.any([signal, AbortSignal.timeout(5_000)]) })
    return configSchema.parse(await body.json()).appVersion
  } catch {
    return null
  }
}

async function checkAnswer(part: string, url: string, signal: AbortSignal): Promise<readonly Finding[]> {
  const { origin } = new URL(url)
  try {
    const { statusCode, headers, body } = await request(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(8_000)]) })
    await body.dump({ limit: 65_536 })
    const broken = statusCode >= 500 ? [failed(part, `${origin} answers with status ${statusCode}`, 'Check its own log')] : []
    return [...(broken.length > 0 ? broken : [ok(part, `${origin} answers`)]), ...clockFinding(part, headers['date'])]
  } catch (error) {
    const action =
      'Check the address, DNS, the firewall and any proxy between; for a certificate of your own authority set NODE_EXTRA_CA_CERTS'
    return [failed(part, `${origin} does not answer: ${reasonOf(error)}`, action)]
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if (error.name === 'TimeoutError') return 'no answer within 8 s'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

function clockFinding(part: string, date: string | string[] | undefined): readonly Finding[] {
  const theirs = typeof date === 'string' ? Date.parse(date) : Number.NaN
  if (Number.isNaN(theirs)) return []
  // The header has whole seconds.
  const differenceMs = Math.abs(Date.now() - theirs - 500)
  const seconds = Math.round(differenceMs / 1_000)
  if (differenceMs <= maxClockDifferenceMs) return [ok(`${part}.clock`, `The clocks differ by ${seconds} s`)]
  const found = `Its clock and the one of this machine differ by ${seconds} s: tokens and times of calls will be wrong`
  return [failed(`${part}.clock`, found, 'Synchronize this machine by NTP (timedatectl set-ntp true), then check the other one')]
}

function checkCertificate(part: string, { hostname, port }: URL, signal: AbortSignal): Promise<readonly Finding[]> {
  const found = Promise.withResolvers<readonly Finding[]>()
  const host = hostname.replaceAll(/[[\]]/g, '')
  // Verified below, so that an invalid certificate can be described.
  const socket = connect({ host, port: Number(port) || 443, ...(isIP(host) === 0 ? { servername: host } : {}), rejectUnauthorized: false })
  const end = (): void => void socket.destroy()
  signal.addEventListener('abort', end, { once: true })
  socket.setTimeout(8_000, end)
  socket.once('secureConnect', () => {
    found.resolve([certificateFinding(`${part}.certificate`, socket.getPeerCertificate().valid_to, socket.authorizationError)])
    end()
  })
  // That it does not answer is a finding already.
  socket.once('error', () => found.resolve([]))
  socket.once('close', () => found.resolve([]))
  return found.promise
}

function certificateFinding(part: string, validTo: string, refusal: Error | string | null | undefined): Finding {
  const days = Math.floor((Date.parse(validTo) - Date.now()) / dayMs)
  if (days < 0) return failed(part, `The certificate ended ${-days} days ago`, 'Renew it')
  if (refusal) {
    const reason = typeof refusal === 'string' ? refusal : 'code' in refusal ? String(refusal.code) : refusal.message
    return failed(part, `The certificate is not trusted: ${reason}`, 'For an authority of your own set NODE_EXTRA_CA_CERTS=/path/ca.pem')
  }
  if (days < fewDays) return warning(part, `The certificate ends in ${days} days`, 'Renew it')
  return ok(part, `The certificate is valid for ${days} more days`)
}
