const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** The longest that a workspace may have the analyses of recordings stored. */
export const maxAnalysisDays = 90
/** How long a lease outlives a process that dies: what was acknowledged is on the platform within half a minute of a crash. */
export const leaseMs = 15_000

/**
 * How long the store retains each family of keys, at most: milliseconds, and what an entry is. A `*` is a workspace. An entry without a
 * lifetime of its own lives this long. A member of a sorted list lives this long after the moment that is its score. The store refuses to
 * write a key that is not here, so nothing is stored without an end.
 */
export const retention: Readonly<Record<string, readonly [ms: number, what: string]>> = {
  audit: [365 * day, 'what people did: name and address of the member, action, name of the agent or member concerned'],
  'auth:good-address': [90 * day, 'hashes of the addresses from which an account signed in'],
  'auth:renewal-lease': [leaseMs, 'a renewal of tokens under way'],
  'auth:renewal-outcome': [minute, 'renewed tokens for concurrent requests, sealed with the old one'],
  'auth:renewal-sent': [60 * day, 'when a refresh token was sent, by its hash'],
  'agents:*:record': [minute, 'the agent record of a member, sealed'],
  'agents:*:secrets': [365 * day, 'passwords of an agent, sealed; renewed at each sign-in; ends when the member is removed'],
  'agent-notices': [7 * day, 'what managers did to an agent and wrote about it, until the agent confirms it: name of the manager'],
  'agent-presence': [2 * day, 'what an agent does'],
  'agents-reported': [2 * day, 'agents with a reported state'],
  call: [7 * day, 'what is known of a call: numbers, agent, lead'],
  'call-action': [leaseMs, 'an action on a call under way'],
  'call-controls': [7 * day, 'hold and mute of a call'],
  'call-reconciliation': [30 * day, "how far calls were compared with the provider's records"],
  'call-reconciliation-lease': [leaseMs, 'a comparison under way'],
  'call-reconciliation-wanted': [day, 'a comparison that is wanted soon'],
  'call-reconciliation-workspaces': [30 * day, 'workspaces whose calls are compared'],
  'call-record-alone': [day, 'a call record that is written alone'],
  'call-record-asked': [day, "when the provider's record of a long call was read"],
  'call-records-lease': [leaseMs, 'a write of call records under way'],
  'call-records-queued': [7 * day, 'calls whose record is to be written'],
  'call-records-taken': [7 * day, 'calls whose record is being written'],
  'call-records-workspaces': [365 * day, 'workspaces with calls, since their last call'],
  'call-transfer': [day, 'a transfer of a call'],
  'callback-task': [7 * day, 'a task of a scheduled callback to be written: number, lead'],
  'callback-tasks': [7 * day, 'the order of these tasks'],
  'callback-tasks-lease': [leaseMs, 'a write of tasks under way'],
  'calls-live': [day, 'calls that are live'],
  'calls-perhaps-missed': [7 * day, 'calls that may have been missed'],
  'calls-started': [2 * day, 'calls by their start'],
  'configuration:*:connectionTest': [365 * day, 'the result of the last connection test'],
  dial: [day, "the answer to a dial request, by the client's key"],
  dialling: [leaseMs, 'an outgoing call that is being placed'],
  disposition: [8 * day, 'a disposition: notes, code, number'],
  'dispositions:open': [8 * day, 'dispositions that are not finished'],
  doctors: [hour, "the workspace's doctors and free times"],
  'doctors-read': [hour, 'a reading of the doctors under way'],
  enrichment: [hour, "the model's hints for a call"],
  health: [minute, 'the last test write of an instance'],
  insight: [180 * day, 'the insight on a lead'],
  'insight-answer': [8 * day, "the model's answer on a call, until it is written"],
  'insight-done': [8 * day, 'calls whose insight is written'],
  'insight-lock': [leaseMs, 'an insight that is being written'],
  'insight-refusals': [day, 'how often the platform refused an insight'],
  'last-reached': [30 * day, 'when a person was last reached, under a hash of the number'],
  limits: [day, 'counters of rate limits: addresses, hashes of numbers and accounts'],
  'live-events': [30 * day, 'the subscription to live events'],
  'live-events-account': [30 * day, 'the workspace that subscribed an account'],
  'live-events-last': [30 * day, 'when the last live event came'],
  'live-events-lease': [leaseMs, 'a subscription under way'],
  'missed-call': [30 * day, 'a missed call: number, lead, when it was called back'],
  'missed-calls': [30 * day, 'missed calls by time'],
  'missed-calls-waiting': [30 * day, 'missed calls that nobody called back'],
  'new-leads': [2 * hour, 'how many leads were created in an hour'],
  'new-leads-left-out': [2 * hour, 'how many callers were left out in an hour'],
  'outbound-call-asked': [minute, 'when the provider was asked about a call'],
  'outbound-calls-open': [7 * day, 'outgoing calls whose end is unknown'],
  'platform-requests': [hour, "how many requests the platform's API key made"],
  recording: [maxAnalysisDays * day, 'the analysis of a recording; 7 days unless the workspace sets more'],
  'recording-failure': [minute, 'why an analysis failed'],
  'recording-run': [leaseMs, 'an analysis under way'],
  'recording-transcript': [day, 'a transcript, until its analysis is complete'],
  'recording-waiting': [7 * day, 'a recording to be analysed'],
  'recordings-later': [7 * day, 'recordings to be tried again'],
  'recordings-taken': [7 * day, 'recordings that are being analysed'],
  'recordings-taking': [leaseMs, 'a choice of recordings under way'],
  'recordings-used': [2 * day, 'seconds and tokens used in a day'],
  'recordings-waiting': [7 * day, 'recordings to be analysed, by the end of the call'],
  'recordings-workspaces': [7 * day, 'workspaces with recordings to be analysed'],
  scorecard: [
    365 * day,
    "the verdicts on a call; after a manager's correction, with the manager's name and reason, else as long as the analysis",
  ],
  'scorecards-corrected': [365 * day, 'calls with such corrections, by time'],
  'screen-pop': [day, "a member's recent screen pop: number, lead"],
  'sessions:workspaces': [30 * day, 'workspaces with agent sessions'],
  'sessions:*:checks': [30 * day, 'when the session of an agent is checked'],
  'sessions:*:heartbeat': [hour, 'the last heartbeat of an agent'],
  'sessions:*:lease': [minute, 'a sign-in or sign-out under way'],
  'sessions:*:lock': [hour, 'who has the session of an agent'],
  'sessions:*:member': [30 * day, 'which agent a member is; renewed while the session lasts'],
  'sessions:*:record': [30 * day, 'the session of an agent, password sealed; renewed while the session lasts'],
  'sessions:*:taken-over': [hour, 'which device lost a session'],
  'setup:*:dismissed': [3_650 * day, 'the setup wizard is dismissed'],
  'setup:*:step': [3_650 * day, 'a step of the setup is complete: when, by which user'],
  'speech-slot': [leaseMs, 'a request to the speech provider under way'],
  'supervision-rebuild-position': [3 * day, 'how far a day is rebuilt'],
  'supervision-rebuilding': [leaseMs, 'a rebuild under way'],
  'supervision-rebuilt': [3 * day, 'a day that is rebuilt'],
  'supervision-stored-since': [400 * day, 'since when calls of a workspace are stored'],
  'team:open-invite-links': [3_650 * day, 'invite links that are still to be closed, by workspace'],
  'team:*:change': [leaseMs, 'a change of the team under way'],
  'team:*:creation': [90 * day, 'a member whose creation is not finished, sealed'],
  'team:*:password': [121 * day, 'a temporary password, sealed; afterwards only when it was used'],
  'team:*:removal': [day, 'a removal of a member that is not finished'],
  'telephony-report': [hour, "when the provider's reports were read"],
  'telephony-token': [hour, 'the token of a telephony provider, sealed'],
  'telephony-token-lease': [leaseMs, 'a request for this token under way'],
  'telephony-token-refused': [minute, 'a refused request for this token'],
  'telephony-token-useless': [hour, 'a token that the provider refuses'],
  'telephony-tokens-requested': [hour, 'when tokens were requested'],
  'unknown-caller': [day, 'a caller who is to become a lead: number'],
  'unknown-callers': [day, 'the order of these callers'],
  'visit-slot-lease': [5 * minute, 'a visit that is being booked'],
  'webhook-key': [3_650 * day, 'the hash of a webhook key, until it is replaced'],
  'webhook-key-current': [3_650 * day, 'the hash of the newest webhook key'],
  'widget-booking': [day, 'a booking of a visitor: time, doctor, hash of the number'],
  'widget-booked': [2 * day, 'how many visits were booked in a day, by hashes of address and widget key'],
  'widget-confirming': [leaseMs, 'a booking that is being confirmed'],
  'widget-conversation': [day, "a visitor's conversation with the assistant"],
  'widget-held': [hour, 'bookings that hold a time, by hashes of address and widget key'],
  'widget-hold': [hour, 'a time that is held for a visitor'],
  'widget-holds': [hour, 'times that are held'],
  'widget-reply': [leaseMs, 'a reply of the assistant under way'],
  'widget-tokens': [2 * day, 'tokens that the assistant used in a day, in all and by hashes of addresses'],
  worklist: [400 * day, 'people to call back, by when they are due'],
  'worklist-entry': [400 * day, 'a person to call back: number, lead, calls; until 30 days after the last change and callback'],
}

/** The family of a key, as the table names it: its first part, its first two, or its first and third. Null if the table has none. */
function familyOf(key: string): string | null {
  const [area = '', second = '', third = ''] = key.split(':', 3)
  return [area, `${area}:${second}`, `${area}:*:${third}`].find((family) => Object.hasOwn(retention, family)) ?? null
}

/** Milliseconds; null if the key is of no family of the table. */
export function retentionOf(key: string): number | null {
  const family = familyOf(key)
  return family === null ? null : (retention[family]?.[0] ?? null)
}
