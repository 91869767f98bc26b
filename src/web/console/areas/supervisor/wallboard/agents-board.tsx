import { Headset, Search } from 'lucide-react'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import { Card } from '../../../ui/page.tsx'
import { EmptyState } from '../../../ui/states.tsx'
import { Table } from '../../../ui/table.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useAgentColumns } from './agent-columns.tsx'
import { AgentPanel } from './agent-panel.tsx'
import { shownState } from '../agent-rows.ts'
import { stateOrder } from '../state-tones.ts'
import type { AgentRow } from './overview.ts'
import { type StateChoice, StateFilter } from './state-filter.tsx'
import { useWallboardTexts } from './texts.ts'

/** All agents with a live session, those who can take a call first. */
export function AgentsBoard({ agents }: { readonly agents: readonly AgentRow[] }) {
  const texts = useWallboardTexts()
  const { number } = useFormats()
  const [state, setState] = useState<StateChoice>('ALL')
  const [name, setName] = useState('')
  const searched = useDeferredValue(name.trim().toLocaleLowerCase())
  const { open, setOpenId } = useOpenAgent(agents)
  const columns = useAgentColumns(setOpenId)
  const rows = useMemo(
    () =>
      agents
        .filter((agent) => state === 'ALL' || shownState(agent) === state)
        .filter(({ agentName }) => agentName.toLocaleLowerCase().includes(searched))
        .toSorted(inOrder),
    [agents, state, searched],
  )
  return (
    <section className="sup-part" aria-label={texts.agents}>
      <Card isFlush>
        <header className="sup-card-head">
          <h2>
            {texts.agents}
            <span>{number(agents.length)}</span>
          </h2>
          {agents.length > 8 && (
            <label className="wall-search">
              <Search aria-hidden="true" />
              <span className="visually-hidden">{texts.find}</span>
              <input type="search" placeholder={texts.find} value={name} onChange={(event) => setName(event.target.value)} />
            </label>
          )}
        </header>
        {agents.length > 0 && <StateFilter agents={agents} value={state} onChange={setState} />}
        <div className="wall-agents">
          <Table
            label={texts.agents}
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            empty={
              agents.length === 0 ? (
                <EmptyState icon={<Headset />} title={texts.noAgents}>
                  <p>{texts.noAgentsText}</p>
                </EmptyState>
              ) : (
                <EmptyState icon={<Search />} title={texts.noneFound}>
                  <p>{texts.noneFoundText}</p>
                </EmptyState>
              )
            }
          />
        </div>
      </Card>
      {open && <AgentPanel agent={open} onClose={() => setOpenId(null)} />}
    </section>
  )
}

/** The agent whose panel is open. It stays open when their session ends: a message may be half written. */
function useOpenAgent(agents: readonly AgentRow[]) {
  const [openId, setOpenId] = useState<string | null>(null)
  const seen = useRef<AgentRow | null>(null)
  const present = agents.find(({ id }) => id === openId)
  if (present) seen.current = present
  const left = openId !== null && seen.current?.id === openId ? { ...seen.current, ...gone } : null
  return { open: present ?? left, setOpenId }
}

const gone = { state: 'SIGNED_OUT', reason: null, since: null, call: null } as const

/** In one state, who has been in it longest comes first. */
function inOrder(one: AgentRow, other: AgentRow): number {
  const order = stateOrder.indexOf(shownState(one)) - stateOrder.indexOf(shownState(other))
  const [since, otherSince] = [one.since ?? one.signedInAt, other.since ?? other.signedInAt]
  // Times of one form compare as text; by the rules of a language it takes ten times as long.
  return order || Number(since > otherSince) - Number(since < otherSince) || one.agentName.localeCompare(other.agentName)
}
