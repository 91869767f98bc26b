import { Check } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useQuery } from 'urql'
import { useAction } from '../../../data/use-action.ts'
import { useFormats } from '../../../i18n/format.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, Page } from '../../../ui/page.tsx'
import { ErrorState, Skeleton } from '../../../ui/states.tsx'
import { markStep, setupQuery, type SetupStep, type StepName } from './documents.ts'
import { FirstCall } from './first-call.tsx'
import { PlatformStep } from './platform-step.tsx'
import { Progress } from './progress.tsx'
import { SectionStep, type StepContentProps } from './section-step.tsx'
import { TeamStep } from './team-step.tsx'
import { TelephonyStep } from './telephony-step.tsx'
import { useSetupTexts } from './texts.ts'
import { WidgetStep } from './widget-step.tsx'
import '../configuration/configuration.css'
import '../configuration/form/form.css'
import './setup.css'

/** Six steps to a workspace that takes calls, and then the first call. */
export function SetupScreen() {
  const texts = useSetupTexts()
  const [{ data, error }, ask] = useQuery({ query: setupQuery, requestPolicy: 'cache-and-network' })
  const reload = (): void => ask({ requestPolicy: 'network-only' })
  const steps = data?.setupState.steps
  if (!steps) {
    return (
      <Page title={texts.title} lead={texts.lead}>
        <Card>{error ? <ErrorState error={error} onRetry={reload} /> : <Skeleton rows={6} />}</Card>
      </Page>
    )
  }
  return (
    <Page title={texts.title} lead={texts.lead}>
      <Progress steps={steps} />
      {steps.every(({ complete }) => complete) && <FirstCall />}
      <Steps steps={steps} onChanged={reload} />
    </Page>
  )
}

function Steps({ steps, onChanged }: { readonly steps: readonly SetupStep[]; readonly onChanged: () => void }) {
  const texts = useSetupTexts()
  const firstOpen = steps.find(({ complete }) => !complete)?.step ?? null
  const [chosen, setChosen] = useState<StepName | 'none' | null>(null)
  const shown = chosen ?? firstOpen
  const marking = useAction(markStep)
  const goOn = async (step: SetupStep): Promise<void> => {
    if (!step.complete) await marking.run({ step: step.step, complete: true })
    setChosen(null)
  }
  const skip = (step: SetupStep): void => {
    const next = steps.slice(steps.indexOf(step) + 1).find(({ complete }) => !complete)
    setChosen(next?.step ?? 'none')
  }
  return (
    <ol className="setup-steps" aria-label={texts.steps}>
      {steps.map((step, at) => (
        <StepCard
          key={step.id}
          step={step}
          number={at + 1}
          isOpen={shown === step.step}
          isPending={marking.isPending}
          onToggle={() => setChosen(shown === step.step ? 'none' : step.step)}
          onContinue={() => void goOn(step)}
          onLater={() => skip(step)}
        >
          <StepContent step={step.step} isReady={step.detected === true} onChanged={onChanged} />
        </StepCard>
      ))}
    </ol>
  )
}

function StepContent({ step, ...props }: StepContentProps & { readonly step: StepName }) {
  switch (step) {
    case 'PLATFORM':
      return <PlatformStep {...props} />
    case 'BRAND':
      return <SectionStep section="THEME" paths={['brand.hospitalName', 'brand.logoUrl', 'colors.primary']} {...props} />
    case 'TEAM':
      return <TeamStep onChanged={props.onChanged} />
    case 'TELEPHONY':
      return <TelephonyStep {...props} />
    case 'AI':
      return <SectionStep section="AI" paths={['provider', 'model']} {...props} />
    case 'WIDGET':
      return <WidgetStep {...props} />
  }
}

type StepCardProps = {
  readonly step: SetupStep
  readonly number: number
  readonly isOpen: boolean
  readonly isPending: boolean
  readonly onToggle: () => void
  readonly onContinue: () => void
  readonly onLater: () => void
  readonly children: ReactNode
}

function StepCard({ step, number, isOpen, isPending, onToggle, onContinue, onLater, children }: StepCardProps) {
  const texts = useSetupTexts()
  const { time } = useFormats()
  const { complete, detected, found } = step
  const id = `setup-${step.step}`
  return (
    <li className="setup-step" {...(complete && { 'data-done': true })} {...(isOpen && { 'data-open': true })}>
      <h2>
        <button type="button" className="setup-step-head" aria-expanded={isOpen} aria-controls={id} onClick={onToggle}>
          <span className="setup-step-number" aria-hidden="true">
            {complete ? <Check /> : number}
          </span>
          <span className="setup-step-title">
            <strong>{texts[step.step]}</strong>
            <span lang="en">{withTimes(found, time)}</span>
          </span>
          <StepBadge step={step} />
        </button>
      </h2>
      <div id={id} hidden={!isOpen}>
        {isOpen && (
          <div className="setup-step-body">
            <p>{texts[`${step.step}Text`]}</p>
            {children}
            <footer className="ui-actions">
              <Button look="quiet" onPress={onLater}>
                {texts.later}
              </Button>
              <Button
                {...(detected === true && { look: 'primary' })}
                isDisabled={detected === false}
                isPending={isPending}
                onPress={onContinue}
              >
                {detected === null ? texts.mark : texts.continue}
              </Button>
            </footer>
          </div>
        )}
      </div>
    </li>
  )
}

/** The service writes moments in ISO 8601. */
function withTimes(found: string, time: (at: string) => string): string {
  const shown = (word: string): string => (word.endsWith('Z') && !Number.isNaN(Date.parse(word)) ? time(word) : word)
  return found.split(' ').map(shown).join(' ')
}

function StepBadge({ step: { complete, detected } }: { readonly step: SetupStep }) {
  const texts = useSetupTexts()
  const [tone, text]: readonly [Tone, string] =
    detected === null
      ? ['neutral', texts.unknown]
      : complete
        ? detected
          ? ['good', texts.done]
          : ['warn', texts.broken]
        : detected
          ? ['info', texts.ready]
          : ['neutral', texts.open]
  return (
    <Badge tone={tone} hasDot>
      {text}
    </Badge>
  )
}
