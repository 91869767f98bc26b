/** One operation that an agent's console sends; GET if it has no body. */
export type Operation = { readonly path: string; readonly body: string | null }

const graphql = (query: string): Operation => ({ path: '/graphql', body: JSON.stringify({ query }) })
const get = (path: string): Operation => ({ path, body: null })

const lead = 'node { id name { firstName lastName } phones { primaryPhoneNumber primaryPhoneCallingCode } source status }'
const viewer = 'me { role user { email firstName lastName } agent { name providerAgentId campaignName } session { lockedAt expiresAt } }'
const missed = 'missedCalls(first: 20) { nodes { id phoneNumber leadId at calledBackAt } pageInfo { hasNextPage endCursor } }'
const worklist =
  'worklist(first: 20) { nodes { id phoneNumber leadId status dueAt missedCount claim { agentId } } pageInfo { hasNextPage endCursor } }'

/** The mix of an agent's console: how many of a hundred requests, and what they are. */
export const consoleMix: readonly (readonly [kind: string, share: number, operation: Operation])[] = [
  ['own', 12, graphql(`query Worklist { ${worklist} }`)],
  ['own', 8, graphql(`query Missed { ${missed} }`)],
  ['own', 8, graphql(`query Viewer { ${viewer} }`)],
  ['own', 8, graphql('query Current { currentCall { phoneNumber call { ucid phase } lead { id name } } }')],
  ['own', 4, graphql('query Lists { callSettings { dispositions notReadyReasons capabilities } theme { brand { hospitalName } } }')],
  ['own', 5, graphql('query Sessions { agentSessions { agentName lockedAt expiresAt } }')],
  ['mixed', 10, graphql(`query Desk { ${viewer} leads(first: 20) { totalCount edges { ${lead} } } }`)],
  ['mixed', 10, graphql(`query Day { ${worklist} ${missed} calls(first: 20) { edges { node { id status startedAt disposition } } } }`)],
  ['stitched', 8, graphql('query Insights { leads(first: 10) { edges { node { id insight { summary suggestedAction } } } } }')],
  ['stitched', 4, graphql('query Analyses { calls(first: 10) { edges { node { id analysis { summary duration } } } } }')],
  ['forwarded', 13, graphql(`query Leads { leads(first: 20) { edges { ${lead} } } }`)],
  ['REST', 5, get('/api/calls/worklist')],
  ['REST', 5, get('/api/calls/missed')],
]
