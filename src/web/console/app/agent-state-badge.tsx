import { agentStatesLive } from '../data/agent-states.ts'
import { useLive } from '../data/live.ts'
import { useMember } from '../session/session.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Timer } from '../ui/timer.tsx'
import { useShellTexts } from './shell-texts.ts'

const tones = { SIGNED_OUT: 'neutral', NOT_READY: 'warn', READY: 'good', ON_CALL: 'info', WRAP_UP: 'warn' } as const satisfies Record<
  string,
  Tone
>

/** What the signed-in agent does at the telephony provider, and for how long. */
export function AgentStateBadge() {
  const texts = useShellTexts()
  const { agent } = useMember()
  const { state } = useLive(agentStatesLive)
  const own = state.get(agent?.providerAgentId ?? '')
  if (!own) return null
  return (
    <span className="shell-state">
      <Badge tone={tones[own.state]} hasDot>
        {own.reason ?? texts[own.state]}
      </Badge>
      <Timer since={own.since} />
    </span>
  )
}
