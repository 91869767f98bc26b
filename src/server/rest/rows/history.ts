import { query } from '../row.ts'

export const historyRows = [
  query('history', {
    method: 'GET',
    path: '/api/history',
    arguments: {
      from: 'query.from',
      to: 'query.to',
      groupBy: 'query.groupBy',
      agentId: 'query.agentId',
      campaignName: 'query.campaignName',
    },
    summary: 'Figures of past days: by day, hour, campaign, agent',
    refusals: ['NOT_YOURS', 'STORE_UNAVAILABLE'],
  }),
  query('agentTimeline', {
    method: 'GET',
    path: '/api/history/agents/{agentId}/{date}',
    arguments: { agentId: 'path.agentId', date: 'path.date' },
    summary: 'The states and calls of an agent on one day',
    refusals: ['NOT_YOURS', 'STORE_UNAVAILABLE'],
  }),
  query('historyCalls', {
    method: 'GET',
    path: '/api/history/calls',
    arguments: {
      from: 'query.from',
      to: 'query.to',
      first: 'query.first',
      after: 'query.after',
      agentId: 'query.agentId',
      campaignName: 'query.campaignName',
      direction: 'query.direction',
      status: 'query.status',
      disposition: 'query.disposition',
      phoneNumber: 'query.phoneNumber',
    },
    summary: 'Call records of the platform, newest first',
    refusals: ['NOT_YOURS', 'PROVIDER_REFUSED', 'PROVIDER_UNAVAILABLE'],
  }),
]
