import type { Resolvers } from '../../generated.ts'
import type { Ports } from '../../ports/ports.ts'
import type { AuthPorts } from '../auth/auth-ports.ts'
import { acknowledgeAlert } from './acknowledge-alert.ts'
import type { RaisedAlert } from './alert.ts'
import { followAlerts } from './follow-alerts.ts'
import { listAlerts } from './list-alerts.ts'

export function alertResolvers(
  ports: Pick<Ports, 'audit' | 'clock' | 'notifications' | 'store'> & Pick<AuthPorts, 'principals'>,
): Resolvers {
  return {
    Alert: {
      subjectId: ({ subject }) => subject?.id ?? null,
      subjectName: ({ subject }) => subject?.name ?? null,
      acknowledgedBy: ({ acknowledgedBy }) => acknowledgedBy?.name ?? null,
    },
    Query: {
      alerts: async (_root, page, context) => listAlerts(ports, await context.actor(), page),
    },
    Mutation: {
      acknowledgeAlert: async (_root, { id }, context) => acknowledgeAlert(ports, await context.actor(), id),
    },
    Subscription: {
      alertChanges: {
        async subscribe(_root, _arguments, context) {
          return changes(followAlerts(ports, await context.actor(), context.signal))
        },
      },
    },
  }
}

async function* changes(alerts: AsyncIterable<RaisedAlert>): AsyncGenerator<{ readonly alertChanges: RaisedAlert }> {
  for await (const alert of alerts) yield { alertChanges: alert }
}
