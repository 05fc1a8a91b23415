/** An ID that breaks only behind `/` or `:` if it can, such as an ARN. A copy of it has no breaks. */
export function BreakableId({ id }: { readonly id: string }) {
  const parts = [...id.matchAll(/[^/:]*[/:]+|[^/:]+/g)];
  return (
    <span className="break">
      {parts.map(({ 0: part, index }) => (
        <span key={index} className="part">
          {part}
        </span>
      ))}
    </span>
  );
}
