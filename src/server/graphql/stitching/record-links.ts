import type { ObjectNames } from './object-names.ts'

/**
 * A field that we add to a type of ours: the platform's record that the type is about. It is read by the list root field of the platform, with the
 * actor's own token, so it never shows more than the platform does.
 */
export type RecordLink = {
  /** A type of ours. */
  readonly typeName: string
  readonly fieldName: string
  readonly description: string
  /** The platform's type and its list root field. */
  readonly record: { readonly typeName: string; readonly rootField: string }
  /** Which record: the first of these that has a value. */
  readonly keys: readonly LinkKey[]
}
/** A field of our type, and the record's field that has the same value. */
export type LinkKey = { readonly own: string; readonly by: string }

type Target = keyof typeof descriptions
const descriptions = {
  lead: "The lead's record on the platform",
  call: "The call's record on the platform",
  callByUcid: "The call's record on the platform, found by its UCID. It is written some seconds after a change of the call",
  agent: "The agent's record on the platform",
  agentOfCall: "The agent's record on the platform, found by the ID at the telephony provider as long as `agentId` is null",
  doctor: "The doctor's record on the platform",
  visitSlot: "The visit slot's record on the platform",
  member: 'The member of the workspace on the platform',
  task: 'The task on the platform',
}

/** Our type -> our field -> what it links to, and the field of our type that has its id (a UCID for `callByUcid`). */
const links: Readonly<Record<string, Readonly<Record<string, readonly [Target, string]>>>> = {
  Viewer: { member: ['member', 'memberId'] },
  AgentProfile: { record: ['agent', 'id'] },
  AgentSession: { agent: ['agent', 'agentId'], member: ['member', 'memberId'] },
  LiveAgentSession: { agent: ['agent', 'agentId'], member: ['member', 'memberId'] },
  AuditLogEntry: { lead: ['lead', 'leadId'] },
  AuditLogActor: { member: ['member', 'memberId'] },
  TeamMember: { record: ['member', 'id'] },
  TeamAgent: { record: ['agent', 'id'] },
  ConfigurationEditor: { member: ['member', 'memberId'] },
  SetupStep: { completedByMember: ['member', 'completedBy'] },
  LeadSummary: { record: ['lead', 'id'] },
  LeadInsight: { lead: ['lead', 'id'] },
  CallSummary: { record: ['call', 'id'], agent: ['agent', 'agentId'] },
  OpenItem: { task: ['task', 'id'] },
  NextVisit: { record: ['visitSlot', 'slotId'], doctor: ['doctor', 'doctorId'] },
  LiveCall: { record: ['callByUcid', 'ucid'], agent: ['agentOfCall', 'agentId'], lead: ['lead', 'leadId'] },
  DialReceipt: { record: ['call', 'callId'] },
  MissedCall: { record: ['callByUcid', 'ucid'], lead: ['lead', 'leadId'], calledBackRecord: ['callByUcid', 'calledBackUcid'] },
  VisitBooking: { slot: ['visitSlot', 'slotId'], lead: ['lead', 'leadId'] },
  AgentNotice: { manager: ['member', 'managerId'] },
  AgentPresence: { agent: ['agent', 'agentId'] },
  WorklistEntry: { lead: ['lead', 'leadId'] },
  WorklistCallback: { task: ['task', 'taskId'] },
  WorklistClaim: { agent: ['agent', 'agentId'] },
  WorklistAssignee: { agent: ['agent', 'agentId'], member: ['member', 'memberId'] },
  WorklistClosing: { agent: ['agent', 'agentId'] },
  SupervisedAgent: { agent: ['agent', 'agentId'], member: ['member', 'memberId'] },
  SupervisedCall: { record: ['callByUcid', 'ucid'], agent: ['agent', 'agentId'], lead: ['lead', 'leadId'] },
  AgentCallsNow: { agent: ['agent', 'agentId'] },
  AgentCallCounts: { agent: ['agent', 'agentId'] },
  FreeSlots: { doctor: ['doctor', 'doctorId'] },
  DirectoryDoctor: { record: ['doctor', 'id'] },
  DirectorySlot: { record: ['visitSlot', 'id'], doctor: ['doctor', 'doctorId'], lead: ['lead', 'leadId'] },
  RecordingAnalysis: { call: ['call', 'callId'] },
  RecordingUnderWay: { call: ['call', 'callId'] },
  RecordingStatus: { call: ['call', 'callId'] },
  RecordingProgress: { call: ['call', 'callId'] },
  Scorecard: { call: ['call', 'callId'], agent: ['agent', 'agentId'] },
  ScorecardReviewer: { member: ['member', 'memberId'] },
  TranscriptMatch: { call: ['call', 'callId'], agent: ['agent', 'agentId'] },
}

/** The links of a workspace with these names. */
export function recordLinks(names: ObjectNames): readonly RecordLink[] {
  return Object.entries(links).flatMap(([typeName, fields]) =>
    Object.entries(fields).map(([fieldName, [target, key]]): RecordLink => ({
      typeName,
      fieldName,
      description: `${descriptions[target]}, read with your own rights. Null if there is none that you may read.`,
      record: recordOf(target, names),
      keys: keysOf(target, names, key),
    })),
  )
}

function recordOf(target: Target, { lead, call, agent, doctor, visitSlot }: ObjectNames): RecordLink['record'] {
  const objects = { lead, call, callByUcid: call, agent, agentOfCall: agent, doctor, visitSlot, ...standard }
  const { typeName, plural } = objects[target]
  return { typeName, rootField: plural }
}

function keysOf(target: Target, { call, agent }: ObjectNames, own: string): readonly LinkKey[] {
  if (target === 'callByUcid') return [{ own, by: call.ucid }]
  if (target === 'agentOfCall')
    return [
      { own, by: 'id' },
      { own: 'providerAgentId', by: agent.providerAgentId },
    ]
  return [{ own, by: 'id' }]
}

/** Objects that every workspace has. */
const standard = {
  member: { typeName: 'WorkspaceMember', plural: 'workspaceMembers' },
  task: { typeName: 'Task', plural: 'tasks' },
}

/** Whether a type of ours may have this link, in some workspace. */
export function isLink(typeName: string, fieldName: string): boolean {
  return Object.hasOwn(links, typeName) && Object.hasOwn(links[typeName] ?? {}, fieldName)
}

/** The names of all links: without one of them an operation has no link. */
export const linkNames: ReadonlySet<string> = new Set(Object.values(links).flatMap((fields) => Object.keys(fields)))
