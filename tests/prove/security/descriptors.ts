import { setTimeout as delay } from 'node:timers/promises'
import { isWay, linger, type LingeringClient, lingeringWays } from '../../harness/lingering-clients.ts'
import { countByStatus, createClient, inFlight } from '../stage/client.ts'
import { type Figure, say } from '../stage/report.ts'
import { startWatchedService } from './watched.ts'

const descriptors = 1_024
const attackers = 1_500
const signIns = 60
const agents = signIns
/** The longest that an idle connection may stay open, and a margin. */
const releasedAfterMs = 90_000

/** 1,500 connections of one address that linger in every way, on a service that may open 1,024 files: who is answered, and what stays open. */
export async function proveDescriptors(): Promise<readonly Figure[]> {
  await using service = await startWatchedService({ descriptors, agents })
  await using honest = createClient()
  const before = (await service.read()).descriptors
  const ways = Object.keys(lingeringWays).filter(isWay)
  say(`${attackers} connections that linger`)
  const clients = await inFlight(attackers, 50, (index) => linger(service.url, ways[index % ways.length] ?? 'sends nothing'))
  const during = await service.read().catch(() => null)
  const signedIn = countByStatus(await inFlight(signIns, 5, (index) => honest.logIn(service.url, `load${index + 1}`)))
  say(`sign-ins during the attack: ${JSON.stringify(signedIn)}`)
  await delay(releasedAfterMs)
  const after = (await service.read().catch(() => null))?.descriptors ?? Number.NaN
  const stayed = ways.filter((_, index) => clients.some((client, at) => at % ways.length === index && isOpen(client)))
  for (const { socket } of clients) socket.destroy()
  return [
    {
      claim: `${attackers} lingering connections of one address, at most ${descriptors} open files: sign-ins of the same address`,
      figure: `${signedIn['200'] ?? 0} of ${signIns} answered; ${during?.descriptors ?? 'no reading of'} files open`,
      holds: signedIn['200'] === signIns,
    },
    {
      claim: `the same, ${releasedAfterMs / 1_000} s later`,
      figure: `${after} files open, ${before} before the attack; still open for the client: ${stayed.join(', ') || 'none'}`,
      holds: after <= before + 20,
    },
  ]
}

/** What a client sees: without an end from the service, its connection is open. */
function isOpen({ serviceEnded, closed }: LingeringClient): boolean {
  return !serviceEnded && !closed
}
