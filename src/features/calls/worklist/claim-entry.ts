import type { Actor } from '../../../access/actor.ts'
import { isoMoment } from '../../../kernel/clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { dialMs } from '../state/dial-once.ts'
import { sendNotice } from '../../sessions/agent-notices.ts'
import { type Agent, readAgent } from '../../sessions/read-agent.ts'
import { auditEntry, formerAgent } from './audit-entry.ts'
import { assertNotDialling, type ClaimCheck, heldClaim, type WorklistClaim, type WorklistEntry } from '../worklist-entries/entry.ts'
import { changeEntry, checkClaims, type EntryChange, type EntryKey, isOpen, readEntry } from '../worklist-entries/entry-store.ts'
import { refreshTasks, type RefreshTasksPorts } from './refresh-tasks.ts'

export type ClaimPorts = RefreshTasksPorts & Pick<CallPorts, 'agentRecordCache' | 'audit' | 'configuration'>

/**
 * Claims a person for the actor: nobody else can claim or dial them from now on, until the claim ends. One's own claim is renewed. Errors:
 * ROLE_MISSING (no agent record), NOT_FOUND, WRONG_STATE (nothing is left to do), ALREADY_CLAIMED (another agent has the person).
 */
export async function claimEntry(ports: ClaimPorts, actor: Actor, id: string): Promise<WorklistEntry> {
  const agent = await readAgent(ports, actor)
  if (!agent) throw new AppError('ROLE_MISSING', { detail: 'Only a member with an agent record can claim a person' })
  const taken = await takeClaim(ports, actor, { agent, id })
  if (!taken) throw new AppError('WRONG_STATE', { detail: 'This person has been called back; nothing is left to do' })
  return taken.after
}

export type ClaimRequest = {
  readonly agent: Agent
  readonly id: string
  /** Takes the person from another agent who has them. For managers: the caller of `takeClaim` announces it. */
  readonly overrides?: boolean
  /** The agent's call is made next: until it is bound, or the provider must have answered, nobody else gets the person. */
  readonly dials?: boolean
}

export type TakenClaim = {
  readonly after: WorklistEntry
  /** Audits that another agent's claim was overridden, and sends that agent a notice; nothing if there was none. Never throws. */
  announce(): Promise<void>
  /**
   * Puts the claim back that was there before, if nobody has changed it since: call it instead of `announce` if no call was made. If the store
   * fails, the claim stays and is announced. Never throws.
   */
  undo(): Promise<void>
}

/** Null if nothing is left to do, which the platform's tasks may say first. Errors: NOT_FOUND, ALREADY_CLAIMED, WRONG_STATE (a call to them is being made). */
export async function takeClaim(
  ports: ClaimPorts,
  actor: Actor,
  { agent, id, overrides = false, dials = false }: ClaimRequest,
): Promise<TakenClaim | null> {
  const { workspaceId, memberId } = actor.principal
  const key = { workspaceId, id }
  const known = await readEntry(ports, key)
  const [present] = known && isOpen(known) ? await refreshTasks(ports, actor, [known]) : [known]
  const [{ claimMinutes }, check] = await Promise.all([
    ports.configuration.read(workspaceId, 'telephony'),
    checkClaims(ports, workspaceId, present ? [present] : []),
  ])
  const mine = { memberId, agentId: agent.record.id, name: agent.record.name, claimedAt: isoMoment(check.now) }
  const until = isoMoment(check.now + claimMinutes * 60_000)
  const { before, after } = await changeEntry(ports, key, (entry) => {
    if (!isOpen(entry)) return entry
    if (!overrides) assertFree(entry, memberId, check)
    const own = entry.claim?.memberId === memberId ? entry.claim : null
    if (own === null) assertNotDialling(entry, check)
    const dialsUntil = dials ? isoMoment(check.now + dialMs) : (own?.dialsUntil ?? null)
    return { ...entry, claim: { ...mine, until, ucid: own?.ucid ?? null, dialsUntil } }
  })
  if (!isOpen(after)) return null
  const held = heldClaim(before, check)
  const announce = async (): Promise<void> => {
    if (held && held.memberId !== memberId) await announceEnded(ports, actor, { key, held })
  }
  const undo = (): Promise<void> =>
    replaceClaim(ports, key, { expected: after.claim, claim: before.claim }).catch((error: unknown) => {
      ports.log.error({ err: error, ...key }, 'worklist.claim-not-undone')
      return announce()
    })
  return { after, announce, undo }
}

type EndedClaim = { readonly key: EntryKey; readonly held: Pick<WorklistClaim, 'memberId' | 'agentId' | 'name'> }

async function announceEnded(ports: ClaimPorts, actor: Actor, { key, held }: EndedClaim): Promise<void> {
  const audit = ({ after: entry }: EntryChange) =>
    auditEntry(ports, actor, { entry, action: 'worklist.claimOverridden', details: formerAgent(held) })
  await changeEntry(ports, key, { next: (entry) => entry, audit }).catch((error: unknown) =>
    ports.log.error({ err: error, ...key }, 'worklist.override-not-audited'),
  )
  await sendNotice(ports, actor, { memberId: held.memberId, kind: 'CLAIM_ENDED', worklistEntryId: key.id })
}

/** Throws ALREADY_CLAIMED, which says who has the person and until when. */
export function assertFree(entry: WorklistEntry, memberId: string, check: ClaimCheck): void {
  const held = heldClaim(entry, check)
  if (held === null || held.memberId === memberId) return
  const { agentId, name, until } = held
  const end = until === null ? 'and is on the phone with them' : `until ${until}`
  throw new AppError('ALREADY_CLAIMED', {
    detail: `${name} calls this person back ${end}. Take another person, or ask them to give this one back`,
    data: { claimedBy: { agentId, name }, until },
  })
}

/** The claim is held by this call, which is stored, so it counts as long as the call is in progress. Does nothing if the claim is gone. */
export async function bindClaim(ports: ClaimPorts, key: EntryKey, { memberId, ucid }: { memberId: string; ucid: string }): Promise<void> {
  await changeEntry(ports, key, (entry) =>
    entry.claim?.memberId === memberId ? { ...entry, claim: { ...entry.claim, ucid, dialsUntil: null } } : entry,
  )
}

type ReplacedClaim = { readonly expected: WorklistClaim | null; readonly claim: WorklistClaim | null }

async function replaceClaim(ports: ClaimPorts, key: EntryKey, { expected, claim }: ReplacedClaim): Promise<void> {
  await changeEntry(ports, key, (entry) => (JSON.stringify(entry.claim) === JSON.stringify(expected) ? { ...entry, claim } : entry))
}
