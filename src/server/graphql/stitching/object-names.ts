import type { PlatformSection } from '../../../ports/configuration/platform.ts'

/** The workspace's names that the stitched schema needs. Plain data, because it is sent to the worker. */
export type ObjectNames = {
  readonly lead: ObjectName & { readonly aiSummary: string; readonly aiSuggestedAction: string; readonly aiInsightAt: string }
  readonly call: ObjectName & { readonly ucid: string }
  readonly agent: ObjectName & { readonly providerAgentId: string }
  readonly doctor: ObjectName
  readonly visitSlot: ObjectName
}

/** The GraphQL type of a record, and the list root field. */
type ObjectName = { readonly typeName: string; readonly plural: string }

export function objectNames({ objects: { lead, call, agent, doctor, visitSlot } }: PlatformSection): ObjectNames {
  const { aiSummary, aiSuggestedAction, aiInsightAt } = lead.fields
  return {
    lead: { ...nameOf(lead), aiSummary, aiSuggestedAction, aiInsightAt },
    call: { ...nameOf(call), ucid: call.fields.ucid },
    agent: { ...nameOf(agent), providerAgentId: agent.fields.providerAgentId },
    doctor: nameOf(doctor),
    visitSlot: nameOf(visitSlot),
  }
}

/** The platform names the type of an object with a capital first letter. */
function nameOf({ singular, plural }: { readonly singular: string; readonly plural: string }): ObjectName {
  return { typeName: singular.slice(0, 1).toUpperCase() + singular.slice(1), plural }
}
