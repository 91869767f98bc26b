import type { CallsDesk } from './calls-desk.ts'

/** A signed-in agent at a desk whose notifications can be lost: what `step` changes is not notified; then its streams learn that they missed some. */
export async function createLossyDesk(desk: CallsDesk) {
  const { callPorts } = desk
  const gaps: (() => void)[] = []
  let isLost = false
  const notifications: typeof callPorts.notifications = {
    ...callPorts.notifications,
    publish: async (notification) => (isLost ? undefined : callPorts.notifications.publish(notification)),
    onGap: (listener) => (gaps.push(listener), new DisposableStack()),
  }
  const actor = await desk.signIn('agent1@demo.example')
  const principals = { ...callPorts.principals, resolve: async () => actor.principal }
  return {
    actor,
    ports: { ...callPorts, notifications, principals },
    losing: async (step: () => Promise<void>): Promise<void> => {
      isLost = true
      await step()
      isLost = false
      for (const report of gaps) report()
    },
  }
}
