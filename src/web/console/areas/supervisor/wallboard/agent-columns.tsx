import { PhoneIncoming, PhoneOutgoing } from 'lucide-react'
import { useMemo } from 'react'
import { useLead } from '../../../session/leads.ts'
import { useFormats } from '../../../i18n/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { shownNumber } from '../../../ui/phone-number.tsx'
import type { Column } from '../../../ui/table.tsx'
import { clockText, Timer } from '../../../ui/timer.tsx'
import { useCallTexts } from '../../../phone/call-texts.ts'
import { shownState } from '../agent-rows.ts'
import { stateOrder, stateTones } from '../state-tones.ts'
import type { AgentRow, CallNow } from './overview.ts'
import { useWallboardTexts } from './texts.ts'

/** Rows are drawn often: no component of React Aria in them. */
export function useAgentColumns(onOpen: (id: string) => void): readonly Column<AgentRow>[] {
  const texts = useWallboardTexts()
  const { number } = useFormats()
  return useMemo(
    () => [
      {
        id: 'agent',
        title: texts.agent,
        sortBy: ({ agentName }) => agentName,
        cell: ({ id, agentName }) => (
          <button type="button" className="wall-agent" title={texts.openAgent(agentName)} onClick={() => onOpen(id)}>
            {agentName}
          </button>
        ),
      },
      {
        id: 'state',
        title: texts.state,
        sortBy: (agent) => `${stateOrder.indexOf(shownState(agent))} ${agent.since ?? ''}`,
        cell: (agent) => <AgentState agent={agent} />,
      },
      { id: 'call', title: texts.call, cell: ({ call }) => call && <AgentCall call={call} /> },
      { id: 'today', title: texts.today, sortBy: ({ answered }) => answered, isNumber: true, cell: ({ answered }) => number(answered) },
      {
        id: 'handling',
        title: texts.handlingShort,
        sortBy: ({ handlingSeconds }) => handlingSeconds ?? -1,
        isNumber: true,
        isMinor: true,
        cell: ({ handlingSeconds }) => (handlingSeconds === null ? '–' : clockText(handlingSeconds)),
      },
    ],
    [texts, number, onOpen],
  )
}

/** The state in words, the reason of a break, and for how long. */
export function AgentState({ agent }: { readonly agent: Pick<AgentRow, 'state' | 'reason' | 'since'> }) {
  const texts = useWallboardTexts()
  const state = shownState(agent)
  return (
    <span className="sup-since">
      <Badge tone={stateTones[state]} hasDot>
        {agent.reason ?? texts[state]}
      </Badge>
      {agent.since !== null && <Timer since={agent.since} />}
    </span>
  )
}

/** Who is on the phone, by name if the platform knows it. */
export function AgentCall({ call }: { readonly call: CallNow }) {
  const { direction, leadId } = call
  const texts = useWallboardTexts()
  const calls = useCallTexts()
  const name = useLead(leadId)?.name ?? null
  const Direction = direction === 'INBOUND' ? PhoneIncoming : PhoneOutgoing
  const number = shownNumber(call) ?? texts.withheld
  return (
    <span className="sup-call numbers">
      <Direction role="img" aria-label={calls[direction]} />
      {name === null ? (
        number
      ) : (
        <span className="ui-person">
          <span>{name}</span>
          <span>{number}</span>
        </span>
      )}
    </span>
  )
}
