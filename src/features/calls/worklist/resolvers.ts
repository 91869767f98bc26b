import type { Resolvers, WorklistEntry as WorklistEntryFields } from '../../../generated.ts'
import { withNodes } from '../../../kernel/connection.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { claimEntry } from './claim-entry.ts'
import { dueAtOf, heldClaim } from '../worklist-entries/entry.ts'
import { finishEntry } from './finish-entry.ts'
import { giveBackEntry } from './give-back-entry.ts'
import { followWorklist, listWorklist, type ShownEntry, shown } from './list-worklist.ts'
import { assignEntry, scheduleEntry } from './plan-entry.ts'
import { taskIdOf } from '../worklist-entries/task-queue.ts'

type Worklist = {
  readonly queries: Pick<NonNullable<Resolvers['Query']>, 'worklist'>
  readonly mutations: NonNullable<Resolvers['Mutation']>
  readonly subscriptions: Pick<NonNullable<Resolvers['Subscription']>, 'worklistChanges'>
}

export function worklistResolvers(ports: CallPorts): Worklist {
  return {
    queries: {
      async worklist(_, page, context) {
        const actor = await context.actor()
        const found = await listWorklist(ports, actor, page)
        return withNodes(
          found,
          found.nodes.map((entry) => fieldsOf(actor.principal.workspaceId, entry)),
        )
      },
    },
    mutations: {
      async claimWorklistEntry(_, { id }, context) {
        const actor = await context.actor()
        return fieldsOf(actor.principal.workspaceId, await shown(ports, actor, await claimEntry(ports, actor, id)))
      },
      async giveBackWorklistEntry(_, request, context) {
        const actor = await context.actor()
        return fieldsOf(actor.principal.workspaceId, await shown(ports, actor, await giveBackEntry(ports, actor, request)))
      },
      async finishWorklistEntry(_, request, context) {
        const actor = await context.actor()
        return fieldsOf(actor.principal.workspaceId, await shown(ports, actor, await finishEntry(ports, actor, request)))
      },
      async assignWorklistEntry(_, { agentId, ...request }, context) {
        const actor = await context.actor()
        const entry = await assignEntry(ports, actor, { ...request, agentId: agentId ?? null })
        return fieldsOf(actor.principal.workspaceId, await shown(ports, actor, entry))
      },
      async scheduleWorklistEntry(_, request, context) {
        const actor = await context.actor()
        return fieldsOf(actor.principal.workspaceId, await shown(ports, actor, await scheduleEntry(ports, actor, request)))
      },
    },
    subscriptions: {
      worklistChanges: {
        async *subscribe(_, _arguments, context) {
          const actor = await context.actor()
          for await (const { kind, ...entry } of followWorklist(ports, actor, context.signal)) {
            yield { worklistChanges: { kind, entry: fieldsOf(actor.principal.workspaceId, entry) } }
          }
        },
      },
    },
  }
}

function fieldsOf(workspaceId: string, { entry, check }: ShownEntry): WorklistEntryFields {
  const { id, phoneNumber, leadId, missed, callbacks, tries, assignee, closed } = entry
  const claim = closed === null ? heldClaim(entry, check) : null
  return {
    id,
    phoneNumber,
    leadId,
    status: closed !== null ? 'CLOSED' : claim ? 'CLAIMED' : 'OPEN',
    dueAt: dueAtOf(entry),
    missedCount: missed.length,
    firstMissedAt: missed[0]?.at ?? null,
    lastMissedAt: missed.at(-1)?.at ?? null,
    callbacks: callbacks.map(({ ucid, at }) => {
      const taskId = taskIdOf({ workspaceId, ucid })
      return { id: taskId, ucid, at, taskId }
    }),
    tries: tries.length,
    lastTriedAt: tries.at(-1)?.at ?? null,
    claim: claim && { id, agentId: claim.agentId, agentName: claim.name, claimedAt: claim.claimedAt, until: claim.until, ucid: claim.ucid },
    assignee: assignee && { id, agentId: assignee.agentId, memberId: assignee.memberId, name: assignee.name },
    closed: closed && { id, ...closed },
  }
}
