import { z } from 'zod'
import type { Actor } from '../../access/actor.ts'
import { memberName } from '../../access/principal.ts'
import { isoMoment } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { Member } from '../../ports/agents.ts'
import type { Ports } from '../../ports/ports.ts'
import { SortedList } from '../../ports/stored/sorted-list.ts'

/**
 * What managers did to an agent, until the agent has confirmed it: at most the newest 100 of seven days. So an agent who was offline sees it at the
 * next sign-in.
 */

const noticeSchema = z.object({
  id: z.string(),
  at: z.string(),
  kind: z.enum(['STATE_CHANGED', 'SESSION_ENDED', 'PERSON_ASSIGNED', 'PERSON_UNASSIGNED', 'CLAIM_ENDED']),
  managerId: z.string(),
  managerName: z.string(),
  /** What the manager wrote to the agent. */
  message: z.string().nullable(),
  /** Only of STATE_CHANGED. */
  state: z.enum(['READY', 'NOT_READY']).nullable(),
  reason: z.string().nullable(),
  /** Only of those about a person of the worklist. */
  worklistEntryId: z.string().nullable(),
})
export type AgentNotice = z.output<typeof noticeSchema>

/** `memberId`: the agent's. */
export type NewNotice = Pick<AgentNotice, 'kind'> &
  Partial<Pick<AgentNotice, 'message' | 'state' | 'reason' | 'worklistEntryId'>> & {
    readonly memberId: string
  }
export type NoticePorts = Pick<Ports, 'store' | 'notifications' | 'clock' | 'log'>

/** Subscribers receive the agent's member id. */
export const noticeTopic = 'agent.notice'

const maxNotices = 100

/** Each as JSON, by when it was sent. */
export const agentNotices = new SortedList({
  name: 'agent-notices',
  key: ({ workspaceId, memberId }: Member) => [workspaceId, memberId],
  lifetime: 7 * 86_400_000,
  about: 'agent',
  what: 'what managers did to an agent and wrote about it, until the agent confirms it: name of the manager',
})

/** Nobody gets a notice of what they did themselves. Never throws, because what the notice is about is done already. */
export async function sendNotice(ports: NoticePorts, { principal }: Pick<Actor, 'principal'>, notice: NewNotice): Promise<void> {
  const { notifications, clock, log } = ports
  const { workspaceId } = principal
  const { memberId, kind, message = null, state = null, reason = null, worklistEntryId = null } = notice
  if (memberId === principal.memberId) return
  const now = clock.now()
  const by = { managerId: principal.memberId, managerName: memberName(principal) }
  const stored: AgentNotice = { id: newId(), at: isoMoment(now), kind, ...by, message, state, reason, worklistEntryId }
  const member = { workspaceId, memberId }
  try {
    await agentNotices.add(ports, member, { member: JSON.stringify(stored), score: now })
    const [tooMany] = await agentNotices.range(ports, member, { limit: 1, offset: maxNotices, reverse: true })
    if (tooMany) await agentNotices.trim(ports, member, tooMany.score)
    await notifications.publish({ topic: noticeTopic, workspaceId, payload: memberId, audience: [memberId] })
  } catch (error) {
    log.error({ err: error, workspaceId, kind }, 'agent-notice.not-stored')
  }
}

/** What the member has not confirmed yet, the oldest first. Throws STORE_UNAVAILABLE. */
export async function readNotices(ports: Pick<Ports, 'store'>, member: Member): Promise<readonly AgentNotice[]> {
  return (await readStored(ports, member)).map(({ notice }) => notice)
}

/** `text`: as it is stored. A newer version may have written more than is parsed here. */
type StoredNotice = { readonly text: string; readonly notice: AgentNotice }

async function readStored(ports: Pick<Ports, 'store'>, member: Member): Promise<readonly StoredNotice[]> {
  const stored = await agentNotices.range(ports, member, { limit: maxNotices, reverse: true })
  return stored.toReversed().flatMap(({ member: text }) => {
    const notice = noticeSchema.safeParse(JSON.parse(text)).data
    // A newer version has kinds that are not known here.
    return notice ? [{ text, notice }] : []
  })
}

/** Deletes what the member has seen, and returns the rest. Unknown ids are ignored. Repeatable. Throws STORE_UNAVAILABLE. */
export async function confirmNotices(ports: Pick<Ports, 'store'>, member: Member, ids: readonly string[]): Promise<readonly AgentNotice[]> {
  const stored = await readStored(ports, member)
  const isSeen = ({ notice }: StoredNotice): boolean => ids.includes(notice.id)
  await Promise.all(stored.filter(isSeen).map(({ text }) => agentNotices.remove(ports, member, text)))
  return stored.filter((one) => !isSeen(one)).map(({ notice }) => notice)
}
