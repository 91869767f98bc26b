import { useQuery } from 'urql'
import { consoleSettings } from '../../../data/settings.ts'
import { useMember } from '../../../session/session.ts'
import { Button } from '../../../ui/button.tsx'
import type { AgentValues } from './member-values.ts'
import { membersDocument } from './members.ts'
import { useTeamTexts } from './texts.ts'

/** Only in the sandbox: agents of its provider whom no member has. They are those of the workspace that its sign-in form shows. */
export function FreeAgents({ onChoose }: { readonly onChoose: (agent: AgentValues) => void }) {
  const texts = useTeamTexts()
  const { workspace } = useMember()
  const agents = workspace.subdomain === consoleSettings.workspace ? (consoleSettings.demo?.freeAgents ?? []) : []
  const [{ data }] = useQuery({ query: membersDocument, requestPolicy: 'cache-and-network', pause: agents.length === 0 })
  const taken = new Set(data?.teamMembers.nodes.map(({ agent }) => agent?.providerAgentId))
  const free = agents.filter(({ providerAgentId }) => !taken.has(providerAgentId))
  if (!data || free.length === 0) return null
  return (
    <div className="ui-actions">
      <span className="ui-hint">{texts.freeAgents}</span>
      {free.map((agent) => (
        <Button
          key={agent.providerAgentId}
          size="s"
          onPress={({ target }) => {
            // The button goes.
            target.closest('fieldset')?.querySelector('input')?.focus()
            onChoose(agent)
          }}
        >
          {agent.providerAgentId}
        </Button>
      ))}
    </div>
  )
}
