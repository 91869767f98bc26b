import type { Actor } from '../../../access/actor.ts'
import { isoMoment } from '../../../kernel/clock.ts'
import { AppError, invalidInput } from '../../../kernel/errors.ts'
import { asPerson } from '../../../ports/record-access.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { sendNotice } from '../../sessions/agent-notices.ts'
import { auditEntry, type EntryAct, formerAgent } from './audit-entry.ts'
import { assertFree } from './claim-entry.ts'
import { canBeDue, cannotBeDue } from '../worklist-entries/due-time.ts'
import {
  type ClaimCheck,
  heldClaim,
  withoutClaim,
  type WorklistAssignee,
  type WorklistCallback,
  type WorklistEntry,
} from '../worklist-entries/entry.ts'
import { changeCheckedEntry, type CheckedChange, isOpen } from '../worklist-entries/entry-store.ts'
import { queueNewTask, queueTaskChange, type TaskValues } from '../worklist-entries/task-queue.ts'

/** Who should call a person back, and when. Both are audited, and change the tasks of scheduled callbacks too. */

export type PlanPorts = Pick<CallPorts, 'audit' | 'clock' | 'log' | 'members' | 'notifications' | 'store' | 'teamAgents'>

export type Assignment = {
  readonly id: string
  /** Null: nobody in particular. */
  readonly agentId: string | null
  /** Whether another agent's claim ends, so that the assigned agent, or with null anybody, can take the person at once. */
  readonly endClaim?: boolean | undefined
  readonly message?: string | null | undefined
}

/**
 * Assigns a person to an agent, or to nobody. Others can still claim the person: an assignment says who should call, a claim who does. Whoever
 * gets or loses the person gets a notice. Errors: INVALID_INPUT (no active agent of the workspace), NOT_FOUND, WRONG_STATE (closed; the claim is to
 * end and its call is in progress).
 */
export async function assignEntry(ports: PlanPorts, actor: Actor, assignment: Assignment): Promise<WorklistEntry> {
  const { id, agentId, endClaim = false, message = null } = assignment
  const assignee = agentId === null ? null : await activeAgent(ports, actor, agentId)
  const assigneeId = assignee?.memberId ?? null
  const endedBy = ({ before, after, check }: CheckedChange) => (after.claim === null ? heldClaim(before, check) : null)
  const change = await plan(ports, actor, {
    id,
    next: (entry, current) => ({
      ...(endClaim && entry.claim?.memberId !== assigneeId ? withoutClaim(entry, current) : entry),
      assignee,
      callbacks: entry.callbacks.map((callback) => ({ ...callback, assigneeId })),
    }),
    task: { assigneeId },
    act(planned) {
      const ended = endedBy(planned)
      const details = {
        agentId,
        agentName: assignee?.name ?? null,
        ...(ended && formerAgent(ended)),
        ...(message !== null && { message }),
      }
      return { action: 'worklist.assigned', details }
    },
  })
  const ended = endedBy(change)
  const notice = { message, worklistEntryId: id }
  const formerId = change.before.assignee?.memberId ?? null
  const isMoved = formerId !== assigneeId
  if (ended) await sendNotice(ports, actor, { memberId: ended.memberId, kind: 'CLAIM_ENDED', ...notice })
  if (formerId !== null && isMoved && formerId !== ended?.memberId) {
    await sendNotice(ports, actor, { memberId: formerId, kind: 'PERSON_UNASSIGNED', ...notice })
  }
  if (assigneeId !== null && isMoved) await sendNotice(ports, actor, { memberId: assigneeId, kind: 'PERSON_ASSIGNED', ...notice })
  return change.after
}

/**
 * Sets when a person is due, until a later missed call or callback. Errors: INVALID_INPUT (past, or more than a year ahead), NOT_FOUND, WRONG_STATE
 * (closed). Managers can move any person; others get ALREADY_CLAIMED (another agent has the person) or ROLE_MISSING (assigned to another agent).
 */
export async function scheduleEntry(
  ports: PlanPorts,
  actor: Actor,
  { id, dueAt }: { readonly id: string; readonly dueAt: string },
): Promise<WorklistEntry> {
  const { role, memberId } = actor.principal
  if (!canBeDue(dueAt, ports.clock.now())) throw cannotBeDue('dueAt')
  const { after } = await plan(ports, actor, {
    id,
    next(entry, check) {
      if (role !== 'MANAGER') {
        assertFree(entry, memberId, check)
        assertNotOfOther(entry, memberId)
      }
      return { ...entry, dueAt, dueSetAt: isoMoment(check.now), callbacks: entry.callbacks.map((callback) => ({ ...callback, at: dueAt })) }
    },
    task: { dueAt },
    act: () => ({ action: 'worklist.scheduled', details: { dueAt } }),
  })
  return after
}

function assertNotOfOther({ assignee }: WorklistEntry, memberId: string): void {
  if (assignee === null || assignee.memberId === memberId) return
  const name = assignee.name ?? 'another agent'
  throw new AppError('ROLE_MISSING', {
    detail: `This person is assigned to ${name}: only they or a manager can set when the person is due`,
  })
}

type Plan = {
  readonly id: string
  readonly next: (entry: WorklistEntry, check: ClaimCheck) => WorklistEntry
  readonly task: TaskValues
  /** What the audit log says about it. */
  readonly act: (change: CheckedChange) => Omit<EntryAct, 'entry'>
}

async function plan(ports: PlanPorts, actor: Actor, { id, next, task, act }: Plan): Promise<CheckedChange> {
  const { workspaceId } = actor.principal
  const unwritten = (callback: WorklistCallback): WorklistCallback => ({ ...callback, isWritten: false })
  const change = await changeCheckedEntry(
    ports,
    { workspaceId, id },
    {
      next(entry, check) {
        if (!isOpen(entry)) throw new AppError('WRONG_STATE', { detail: 'This person has been called back; nothing is left to do' })
        const planned = next(entry, check)
        return { ...planned, callbacks: planned.callbacks.map(unwritten) }
      },
      audit: (planned) => auditEntry(ports, actor, { entry: planned.after, ...act(planned) }),
    },
  )
  const { before, after } = change
  for (const { ucid, leadId, at: dueAt, assigneeId } of after.callbacks) {
    const person = { workspaceId, ucid, phoneNumber: after.phoneNumber }
    // The process that scheduled the callback may have died before it queued the task.
    const isWritten = before.callbacks.some((known) => known.ucid === ucid && known.isWritten)
    if (isWritten) await queueTaskChange(ports, person, task)
    else await queueNewTask(ports, { ...person, leadId, initial: { dueAt, assigneeId }, changes: task })
  }
  return change
}

/** A deactivated agent's record belongs to no member, or to one who has left. */
async function activeAgent(
  { teamAgents, members }: PlanPorts,
  { principal: { workspaceId }, accessToken }: Actor,
  agentId: string,
): Promise<WorklistAssignee> {
  const access = asPerson(workspaceId, accessToken)
  const agent = await teamAgents.byId(access, agentId)
  const member = agent?.memberId ? await members.byId(access, agent.memberId) : null
  if (!agent || !member) throw invalidInput('agentId', 'is not an active agent of this workspace')
  return { memberId: member.id, agentId: agent.id, name: agent.name }
}
