import type { Actor } from '../../../access/actor.ts'
import { isoMoment } from '../../../kernel/clock.ts'
import { type Connection, type PageRequest, type Positioned, readConnection } from '../../../kernel/connection.ts'
import { nextSlice } from '../../../kernel/loop-slices.ts'
import type { Ports } from '../../../ports/ports.ts'
import type { SortedMember } from '../../../ports/store.ts'
import { sortedPosition } from '../../../ports/stored/sorted-list.ts'
import { loggedWebhooks, type WebhookEntry, webhookEntrySchema, type WebhookVerdict } from '../webhook-store/entry.ts'
import { replayStates } from '../webhook-store/failed-webhook.ts'

/** Null or undefined: any. `from` and `to`: ISO 8601; `to` is not included. */
export type WebhookFilter = {
  readonly provider?: string | null | undefined
  readonly verdict?: WebhookVerdict | null | undefined
  readonly ucid?: string | null | undefined
  readonly from?: string | null | undefined
  readonly to?: string | null | undefined
}

/** As a manager sees it. Times are ISO 8601. */
export type ListedWebhook = WebhookEntry & {
  readonly receivedAt: string
  readonly replayedAt: string | null
  readonly canReplay: boolean
}

const readAtOnce = 1_000
/** So many entries are searched for one page: some 100 ms. A page may end before it is full; the next one begins there. */
const searchedForPage = 50_000

/** A page of the received webhooks, newest first. Errors: INVALID_INPUT, STORE_UNAVAILABLE. */
export async function readWebhookLog(
  ports: Pick<Ports, 'store'>,
  { principal: { workspaceId } }: Actor,
  { filter, ...page }: PageRequest & { readonly filter: WebhookFilter },
): Promise<Connection<ListedWebhook>> {
  return readConnection({ name: 'webhook-log', workspaceId, position: sortedPosition }, page, async (after, count) => {
    const { found, readTo } = await search(ports, workspaceId, { filter, after, count })
    return { entries: await withReplays(ports, workspaceId, found), readTo }
  })
}

type Search = { readonly filter: WebhookFilter; readonly after: SortedMember | null; readonly count: number }
type FoundEntry = Positioned<WebhookEntry, SortedMember>

async function search(ports: Pick<Ports, 'store'>, workspaceId: string, { filter, after, count }: Search) {
  const { from, to } = { from: momentOf(filter.from), to: momentOf(filter.to) }
  const found: FoundEntry[] = []
  // Members sort after the empty text: with it, a position is before all entries of its moment, and so after them in this order.
  let last = to === null || (after !== null && after.score < to) ? after : { score: to, member: '' }
  for (let searched = 0; searched < searchedForPage; searched += readAtOnce) {
    const entries = await loggedWebhooks.page(ports, workspaceId, { order: -1, after: last, count: readAtOnce, read: entriesIn })
    for (const entry of entries) {
      if (from !== null && entry.position.score < from) return { found, readTo: null }
      if (fits(entry.node, filter)) found.push(entry)
      if (found.length === count) return { found, readTo: null }
    }
    if (entries.length < readAtOnce) return { found, readTo: null }
    last = entries.at(-1)?.position ?? last
    await nextSlice()
  }
  return { found, readTo: last }
}

async function entriesIn(members: readonly string[]): Promise<readonly (WebhookEntry | null)[]> {
  return members.map((member) => webhookEntrySchema.safeParse(JSON.parse(member)).data ?? null)
}

function fits(entry: WebhookEntry, { provider, verdict, ucid }: WebhookFilter): boolean {
  return (
    (provider ?? entry.provider) === entry.provider && (verdict ?? entry.verdict) === entry.verdict && (ucid ?? entry.ucid) === entry.ucid
  )
}

function momentOf(text: string | null | undefined): number | null {
  return text === null || text === undefined ? null : Date.parse(text)
}

async function withReplays(ports: Pick<Ports, 'store'>, workspaceId: string, found: readonly FoundEntry[]) {
  const failed = found.filter(({ node }) => node.verdict === 'FAILED').map(({ node }) => node.id)
  const states = await replayStates(ports, workspaceId, failed)
  const stateOf = new Map(failed.map((id, index) => [id, states[index] ?? null]))
  return found.map(({ node, position }) => {
    const state = stateOf.get(node.id) ?? null
    const replayedAt = state?.replayedAt ?? null
    return {
      node: { ...node, receivedAt: isoMoment(position.score), replayedAt, canReplay: state !== null && replayedAt === null },
      position,
    }
  })
}
