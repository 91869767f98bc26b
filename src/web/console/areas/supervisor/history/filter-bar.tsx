import { useMemo } from 'react'
import { useQuery } from 'urql'
import { Field } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { type Asked, groupings } from './asked.ts'
import { choicesDocument } from './history-query.ts'
import { isDate, presetOf, presets, rangeOf } from '../range.ts'
import { useHistoryTexts } from './texts.ts'

type FilterBarProps = { readonly asked: Asked; readonly today: string; readonly onChange: (part: Partial<Asked>) => void }

/** No id, and no name of a campaign. */
const all = '\u0000'

/** Days, grouping, agent and campaign. */
export function FilterBar({ asked, today, onChange }: FilterBarProps) {
  const texts = useHistoryTexts()
  const { agents, campaigns } = useChoices(asked)
  return (
    <div className="history-filters" role="group" aria-label={texts.filters}>
      <RangeFields asked={asked} today={today} onChange={onChange} />
      {asked.view === 'figures' && (
        <Select
          label={texts.groupBy}
          options={groupings.map((value) => ({ value, label: texts[value] }))}
          value={asked.by}
          onChange={(by) => onChange({ by })}
        />
      )}
      <Select
        label={texts.agent}
        options={[{ value: all, label: texts.allAgents }, ...agents]}
        value={asked.agent ?? all}
        onChange={(agent) => onChange({ agent: agent === all ? null : agent })}
      />
      <Select
        label={texts.campaign}
        options={[{ value: all, label: texts.allCampaigns }, ...campaigns]}
        value={asked.campaign ?? all}
        onChange={(campaign) => onChange({ campaign: campaign === all ? null : campaign })}
      />
    </div>
  )
}

function RangeFields({ asked: { from, to }, today, onChange }: FilterBarProps) {
  const texts = useHistoryTexts()
  const preset = presetOf({ from, to }, today)
  const options = [...presets.map((value) => ({ value, label: texts[value] })), { value: 'own' as const, label: texts.own }]
  const choose = (chosen: (typeof options)[number]['value']): void => {
    if (chosen !== 'own') onChange(rangeOf(chosen, today))
  }
  const dates = (part: { readonly from?: string; readonly to?: string }): void => {
    if (Object.values(part).every(isDate)) onChange(part)
  }
  return (
    <>
      <Select label={texts.range} options={options} value={preset ?? 'own'} onChange={choose} />
      <Field label={texts.from} type="date" value={from} onChange={(value) => dates({ from: value })} />
      <Field label={texts.to} type="date" value={to} onChange={(value) => dates({ to: value > today ? today : value })} />
    </>
  )
}

/** Those that had calls in the range, and the chosen ones. */
function useChoices({ from, to, agent, campaign }: Asked) {
  const variables = useMemo(() => ({ from, to }), [from, to])
  const [{ data }] = useQuery({ query: choicesDocument, variables })
  return useMemo(() => {
    const agents = new Map(agent === null ? [] : [[agent, agent]])
    for (const { agentId, agentName } of data?.agents.rows ?? []) if (agentId !== null) agents.set(agentId, agentName ?? agentId)
    const campaigns = new Set(campaign === null ? [] : [campaign])
    for (const { campaignName } of data?.campaigns.rows ?? []) if (campaignName !== null) campaigns.add(campaignName)
    return {
      agents: [...agents].map(([value, label]) => ({ value, label })),
      campaigns: [...campaigns].map((value) => ({ value, label: value })),
    }
  }, [data, agent, campaign])
}
