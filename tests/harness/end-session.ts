import type { ConsoleStage } from './console.ts'

/** Ends the session that a test before has left, if there is one. */
export async function endSession({ app }: ConsoleStage, agentName: string): Promise<void> {
  const { token } = await app.signIn('manager@demo.example')
  const { data } = await app.graphql('{ agentSessions { agentName agentId } }', { token })
  const agentId = new RegExp(`"${agentName}","agentId":"([^"]+)"`).exec(JSON.stringify(data))?.[1]
  if (agentId !== undefined) await app.rest('DELETE', `/api/sessions/${agentId}`, { token, body: { reason: 'The next test' } })
}
