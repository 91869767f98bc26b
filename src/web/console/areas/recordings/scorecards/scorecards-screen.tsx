import { ListChecks } from 'lucide-react'
import { useMemo, useState } from 'react'
import { service } from '../../../data/service-client.ts'
import { DownloadButton } from '../../../data/download-button.tsx'
import { Page, Section } from '../../../ui/page.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { useChoices } from '../choices.ts'
import { ChoiceSelect } from '../list/filters.tsx'
import { rangeOf } from '../list/list-search.ts'
import { useListTexts } from '../list/texts.ts'
import { AgreementFigures } from './agreement.tsx'
import { ScorecardList } from './scorecard-list.tsx'
import type { ScorecardRange } from './scorecard.ts'
import { useScorecardTexts } from './texts.ts'
import '../list/list.css'
import './scorecards.css'

const periods = ['today', 'week', 'month'] as const

/** How calls were judged, and how often managers agree with the model. */
export function ScorecardsScreen() {
  const texts = useScorecardTexts()
  const listTexts = useListTexts()
  const { agents } = useChoices()
  const [agentId, setAgentId] = useState<string>()
  const [period, setPeriod] = useState<(typeof periods)[number]>()
  const [isCorrectedOnly, setCorrectedOnly] = useState(false)
  const range = useMemo((): ScorecardRange => {
    const { from } = rangeOf(period === undefined ? {} : { period })
    return { agentId: agentId ?? null, from: from?.toISOString() ?? null, to: null }
  }, [agentId, period])
  const shown = [
    { value: 'all', label: texts.allCards },
    { value: 'corrected', label: texts.correctedCards },
  ] as const
  return (
    <Page title={texts.title} lead={texts.lead} actions={<Export range={range} isCorrectedOnly={isCorrectedOnly} />} isWide>
      <div className="rec-filter-row">
        <ChoiceSelect label={texts.agent} any={texts.everybody} choices={agents} value={agentId} onChange={setAgentId} />
        <ChoiceSelect
          label={listTexts.when}
          any={listTexts.anyTime}
          choices={periods.map((id) => ({ id, name: listTexts[id] }))}
          value={period}
          onChange={setPeriod}
        />
      </div>
      <AgreementFigures range={range} />
      <Section
        title={texts.cards}
        actions={
          <Segments
            label={texts.show}
            options={shown}
            value={isCorrectedOnly ? 'corrected' : 'all'}
            onChange={(value) => setCorrectedOnly(value === 'corrected')}
          />
        }
      >
        <ScorecardList range={range} isCorrectedOnly={isCorrectedOnly} icon={<ListChecks />} />
      </Section>
    </Page>
  )
}

type ExportProps = { readonly range: ScorecardRange; readonly isCorrectedOnly: boolean }

function Export({ range: { agentId, from }, isCorrectedOnly }: ExportProps) {
  const texts = useScorecardTexts()
  const query = { correctedOnly: isCorrectedOnly, ...(agentId !== null && { agentId }), ...(from !== null && { from }) }
  return (
    <DownloadButton name="scorecards.csv" done={texts.exported} read={() => service.rest('GET /api/scorecards.csv', { query })}>
      {texts.csv}
    </DownloadButton>
  )
}
