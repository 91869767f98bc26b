import type { Resolvers } from '../../../generated.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { readWebhookLog } from './read-webhook-log.ts'
import { readWebhookStatus } from './read-webhook-status.ts'
import { replayWebhook, replayWebhooks } from './replay-webhooks.ts'

export function webhookLogResolvers(ports: CallPorts) {
  const queries: NonNullable<Resolvers['Query']> = {
    webhookLog: async (_, { first, after, ...filter }, context) => readWebhookLog(ports, await context.actor(), { first, after, filter }),
    webhookStatus: async (_, _arguments, context) => readWebhookStatus(ports, await context.actor()),
  }
  const mutations: NonNullable<Resolvers['Mutation']> = {
    replayWebhook: async (_, { id }, context) => replayWebhook(ports, await context.actor(), id),
    replayWebhooks: async (_, _arguments, context) => replayWebhooks(ports, await context.actor()),
  }
  const types: Omit<Resolvers, 'Query' | 'Mutation' | 'Subscription'> = {
    WebhookStatus: { id: ({ provider }) => provider },
  }
  return { queries, mutations, types }
}
