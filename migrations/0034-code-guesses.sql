-- Promotion codes that were entered and do not exist, of the last hour: each counts once for each who guesses.
create table code_guesses (
  guesser bytea not null,
  code_hash bytea not null,
  guessed_at timestamptz not null,
  primary key (guesser, code_hash)
);
create index code_guesses_age on code_guesses (guessed_at);
