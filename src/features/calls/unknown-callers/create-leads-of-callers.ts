import { AppError } from '../../../kernel/errors.ts'
import type { DueItem } from '../../../ports/due/due-list.ts'
import { carryOverShared, type DueResult, type DueTask, eachAlone } from '../../../ports/due/due-work.ts'
import type { Ports } from '../../../ports/ports.ts'
import { factsOf } from '../state/call-facts.ts'
import { type CallKey, readCall } from '../state/call-state-store.ts'
import { linkMissedCall } from '../missed-calls/missed-call-store.ts'
import { publishEndedCall } from '../outcomes/publish-ended-call.ts'
import { updateCall } from '../state/update-call.ts'
import { leadOfCaller, type LeadOfCallerPorts } from './lead-of-caller.ts'
import { formerUnknownCallers, settleCaller, unknownCallers } from './queue-unknown-caller.ts'

export type CreateLeadsPorts = LeadOfCallerPorts & Pick<Ports, 'bus' | 'notifications'>

/**
 * Creates the leads of unknown callers and links them to their calls, so that screen pops, call records and missed
 * calls show them. After about eight minutes of failures a call goes on without a lead.
 */
export function createLeadsOfCallers(ports: CreateLeadsPorts): DueTask {
  return {
    list: unknownCallers,
    run: (items, signal) => {
      // Many calls from one number cost the platform one look-up.
      const leads = new Map<string, string | null>()
      let outage: unknown = null
      const create = async ({ workspaceId, id: ucid }: DueItem): Promise<DueResult> => {
        // Also the calls that were not tried wait longer and longer.
        if (outage !== null) return { error: outage }
        return createLeadOf(ports, { workspaceId, ucid }, leads).catch((error: unknown) => {
          if (isOutage(error)) outage = error
          throw error
        })
      }
      return eachAlone(1, create)(items, signal)
    },
    giveUp: ({ workspaceId, id: ucid }) => finish(ports, { workspaceId, ucid }),
    carryOver: () => carryOverShared(ports, unknownCallers, { former: formerUnknownCallers, itemIn }),
  }
}

/** It would be the same for other calls of the workspace. */
function isOutage(error: unknown): boolean {
  return error instanceof AppError && error.reason !== 'PROVIDER_REFUSED'
}

async function createLeadOf(ports: CreateLeadsPorts, key: CallKey, leads: Map<string, string | null>): Promise<'DONE'> {
  const call = await readCall(ports, key)
  const phoneNumber = call?.phoneNumber ?? null
  if (call && call.leadId === null && phoneNumber !== null) {
    const known = leads.get(phoneNumber)
    const leadId = known === undefined ? await leadOfCaller(ports, key.workspaceId, { phoneNumber, did: call.did }) : known
    leads.set(phoneNumber, leadId)
    if (leadId !== null) await linkLead(ports, key, leadId)
  }
  await finish(ports, key)
  return 'DONE'
}

async function linkLead(ports: CreateLeadsPorts, key: CallKey, leadId: string): Promise<void> {
  await updateCall(ports, key, factsOf({ leadId }, { source: 'GUESSED', receivedAt: ports.clock.now() }))
  await linkMissedCall(ports, key, leadId)
}

/** The call goes on, with or without a lead. */
async function finish(ports: CreateLeadsPorts, key: CallKey): Promise<void> {
  const { isEndDeferred } = await settleCaller(ports, key)
  const call = isEndDeferred ? await readCall(ports, key) : null
  if (call) await publishEndedCall(ports, key.workspaceId, call)
}

/** As earlier versions wrote it: the workspace, a space, the UCID. */
function itemIn(member: string): DueItem {
  const end = member.indexOf(' ')
  return { workspaceId: member.slice(0, end), id: member.slice(end + 1) }
}
