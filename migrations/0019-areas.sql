-- A store delivers by several parties, each with zones. A store from before has one party with one zone of its radius.
update stores
  set profile = jsonb_set(
    profile, '{delivery}',
    (profile->'delivery') - 'party' - 'radiusMiles' || jsonb_build_object('parties', jsonb_build_array(jsonb_build_object(
      'party', coalesce(profile->'delivery'->'party', '"first"'),
      'accepting', true,
      'zones', jsonb_build_array(jsonb_build_object(
        'reach', jsonb_build_object('radiusMiles', coalesce(profile->'delivery'->'radiusMiles', '5')),
        'deliveryFee', null, 'orderMinimumCents', null, 'prepMinutes', null
      )),
      'fees', null,
      'prepMinutes', null
    )))
  )
  where not (profile->'delivery' ? 'parties');
