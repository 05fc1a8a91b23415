import DatePicker from '@cloudscape-design/components/date-picker';
import { useState } from 'react';

export interface DayPickerProps {
  /** `YYYY-MM-DD`, or empty. */
  readonly day: string;
  readonly onChange: (day: string) => void;
}

/** Asks for a day, by typing it or from a calendar; shown as in the rest of the page once it is chosen. */
export function DayPicker({ day, onChange }: DayPickerProps) {
  // A day that is kept in the URL arrives later than the next character that somebody types.
  const [typed, setTyped] = useState<string>();
  return (
    <DatePicker
      value={typed ?? day}
      format="long-localized"
      inputFormat="iso"
      locale={navigator.language}
      placeholder="YYYY-MM-DD"
      openCalendarAriaLabel={(chosen) => (chosen ? `Choose a date, selected: ${chosen}` : 'Choose a date')}
      previousMonthAriaLabel="Previous month"
      nextMonthAriaLabel="Next month"
      todayAriaLabel="Today"
      onBlur={() => setTyped(undefined)}
      onChange={({ detail }) => {
        setTyped(detail.value);
        onChange(detail.value);
      }}
    />
  );
}
