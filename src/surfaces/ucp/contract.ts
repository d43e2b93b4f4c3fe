/**
 * Shapes of the Universal Commerce Protocol, written by `npm run ucp-contract` from its schemas.
 *
 * Copyright 2026 UCP Authors. Licensed under the Apache License, Version 2.0 (http://www.apache.org/licenses/LICENSE-2.0).
 * Changed here: references are resolved, descriptions left out, and conditions left out of types.
 */

export type PlatformProfile = {
  ucp: {
    version: string;
    status?: 'success' | 'error';
    services: {
      [k: string]: {
        version: string;
        spec: string;
        schema?: string;
        id?: string;
        config?: {
          [k: string]: unknown;
        };
        transport: 'rest' | 'mcp' | 'a2a' | 'embedded';
        endpoint?: string;
      }[];
    };
    capabilities?: {
      [k: string]: {
        version: string;
        spec: string;
        schema: string;
        id?: string;
        config?: {
          [k: string]: unknown;
        };
        extends?: string | string[];
      }[];
    };
    payment_handlers: {
      [k: string]: {
        version: string;
        spec: string;
        schema: string;
        id: string;
        config?: {
          [k: string]: unknown;
        };
        available_instruments?: {
          type: string;
          constraints?: {
            required?: string[];
            properties?: {
              [k: string]: unknown;
            };
          };
        }[];
      }[];
    };
  };
  keys?: {
    kid: string;
    kty: string;
    crv?: string;
    x?: string;
    y?: string;
    alg?: string;
    use?: string;
    [k: string]: unknown;
  }[];
  [k: string]: unknown;
};
export const PLATFORM_PROFILE = {"type":"object","properties":{"ucp":{"type":"object","properties":{"version":{"type":"string","pattern":"^\\d{4}-\\d{2}-\\d{2}$"},"status":{"type":"string","enum":["success","error"]},"services":{"type":"object","propertyNames":{"type":"string","pattern":"^[a-z](?:[a-z0-9-]*[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9_-]*[a-z0-9_])?)+$"},"additionalProperties":{"type":"array","items":{"type":"object","properties":{"version":{"type":"string","pattern":"^\\d{4}-\\d{2}-\\d{2}$"},"spec":{"type":"string","format":"uri"},"schema":{"type":"string","format":"uri"},"id":{"type":"string"},"config":{"type":"object","additionalProperties":true},"transport":{"type":"string","enum":["rest","mcp","a2a","embedded"]},"endpoint":{"type":"string","format":"uri"}},"required":["version","transport","spec"],"anyOf":[{"properties":{"transport":{"const":"rest"}},"required":["schema"]},{"properties":{"transport":{"const":"mcp"}},"required":["schema"]},{"properties":{"transport":{"const":"a2a"}}},{"properties":{"transport":{"const":"embedded"}},"required":["schema"]}]}}},"capabilities":{"type":"object","propertyNames":{"type":"string","pattern":"^[a-z](?:[a-z0-9-]*[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9_-]*[a-z0-9_])?)+$"},"additionalProperties":{"type":"array","items":{"type":"object","properties":{"version":{"type":"string","pattern":"^\\d{4}-\\d{2}-\\d{2}$"},"spec":{"type":"string","format":"uri"},"schema":{"type":"string","format":"uri"},"id":{"type":"string"},"config":{"type":"object","additionalProperties":true},"extends":{"oneOf":[{"type":"string","pattern":"^[a-z](?:[a-z0-9-]*[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9_-]*[a-z0-9_])?)+$"},{"type":"array","items":{"type":"string","pattern":"^[a-z](?:[a-z0-9-]*[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9_-]*[a-z0-9_])?)+$"},"minItems":1}]}},"required":["version","spec","schema"]}}},"payment_handlers":{"type":"object","propertyNames":{"type":"string","pattern":"^[a-z](?:[a-z0-9-]*[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9_-]*[a-z0-9_])?)+$"},"additionalProperties":{"type":"array","items":{"type":"object","properties":{"version":{"type":"string","pattern":"^\\d{4}-\\d{2}-\\d{2}$"},"spec":{"type":"string","format":"uri"},"schema":{"type":"string","format":"uri"},"id":{"type":"string"},"config":{"type":"object","additionalProperties":true},"available_instruments":{"type":"array","items":{"type":"object","properties":{"type":{"type":"string"},"constraints":{"type":"object","properties":{"required":{"type":"array","minItems":1,"uniqueItems":true,"items":{"type":"string"}},"properties":{"type":"object","minProperties":1,"additionalProperties":{"anyOf":[{},{"type":"object","anyOf":[{"required":["enum"]},{"required":["const"]}],"properties":{"enum":{"type":"array","minItems":1,"uniqueItems":true},"const":{}},"additionalProperties":false}]}},"anyOf":{"type":"array","minItems":1,"items":{"minProperties":1}}},"additionalProperties":false}},"required":["type"]},"minItems":1}},"required":["version","id","spec","schema"]}}}},"required":["version","services","payment_handlers"]},"keys":{"type":"array","items":{"if":{"properties":{"kty":{"const":"EC"}},"required":["kty"]},"then":{"required":["crv","x","y"]},"allOf":[{"if":{"properties":{"kty":{"const":"OKP"}},"required":["kty"]},"then":{"required":["crv","x"]}},{"if":{"properties":{"crv":{"const":"P-256"}},"required":["crv"]},"then":{"properties":{"alg":{"const":"ES256"}}}},{"if":{"properties":{"crv":{"const":"P-384"}},"required":["crv"]},"then":{"properties":{"alg":{"const":"ES384"}}}},{"if":{"properties":{"crv":{"const":"Ed25519"}},"required":["crv"]},"then":{"properties":{"alg":{"const":"EdDSA"}}}}],"type":"object","properties":{"kid":{"type":"string"},"kty":{"type":"string"},"crv":{"type":"string"},"x":{"type":"string"},"y":{"type":"string"},"alg":{"type":"string"},"use":{"type":"string"}},"not":{"anyOf":[{"required":["d"]},{"required":["p"]},{"required":["q"]},{"required":["dp"]},{"required":["dq"]},{"required":["qi"]},{"required":["oth"]},{"required":["k"]}]},"additionalProperties":true,"required":["kid","kty"]}}},"additionalProperties":true,"required":["ucp"]} as const;

export type LocationDistance = {
  center: {
    latitude: number;
    longitude: number;
  };
  max: number;
  [k: string]: unknown;
};
export const LOCATION_DISTANCE = {"type":"object","additionalProperties":true,"properties":{"center":{"type":"object","properties":{"latitude":{"type":"number","minimum":-90,"maximum":90},"longitude":{"type":"number","minimum":-180,"maximum":180}},"required":["latitude","longitude"]},"max":{"type":"number","minimum":0}},"required":["center","max"]} as const;

export type LocationServes = {
  point?: {
    latitude: number;
    longitude: number;
  };
  address?: {
    address_country?: string;
    address_region?: string;
    postal_code?: string;
    [k: string]: unknown;
  };
  [k: string]: unknown;
};
export const LOCATION_SERVES = {"type":"object","minProperties":1,"maxProperties":1,"propertyNames":{"anyOf":[{"const":"point"},{"const":"address"},{"type":"string","pattern":"^[a-z](?:[a-z0-9-]*[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9_-]*[a-z0-9_])?)+$"}]},"properties":{"point":{"type":"object","properties":{"latitude":{"type":"number","minimum":-90,"maximum":90},"longitude":{"type":"number","minimum":-180,"maximum":180}},"required":["latitude","longitude"]},"address":{"type":"object","additionalProperties":true,"properties":{"address_country":{"type":"string"},"address_region":{"type":"string"},"postal_code":{"type":"string"}},"anyOf":[{"properties":{"address_country":{"type":"string","minLength":1}},"required":["address_country"]},{"properties":{"address_region":{"type":"string","minLength":1}},"required":["address_region"]},{"properties":{"postal_code":{"type":"string","minLength":1}},"required":["postal_code"]}]}},"additionalProperties":true} as const;

export type LocationFilter = {
  hours?: {
    open_at: string;
  };
  amenities?: string[];
  items?: string[];
  [k: string]: unknown;
};
export const LOCATION_FILTER = {"type":"object","properties":{"hours":{"type":"object","properties":{"open_at":{"type":"string","format":"date-time","pattern":"(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$"}},"required":["open_at"]},"amenities":{"type":"array","items":{"type":"string","pattern":"^[a-z](?:[a-z0-9-]*[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9_-]*[a-z0-9_])?)+$"}},"items":{"type":"array","minItems":1,"uniqueItems":true,"items":{"type":"string","minLength":1}}},"additionalProperties":true} as const;

export type Pagination = {
  cursor?: string;
  limit?: number;
};
export const PAGINATION = {"type":"object","properties":{"cursor":{"type":"string"},"limit":{"type":"integer","minimum":1}}} as const;

export type CheckoutRequest = {
  food_establishment?: {
    id: string;
    [k: string]: unknown;
  };
  line_items: {
    id?: string;
    dish: {
      id: string;
      modifications?: {
        id: string;
        quantity?: number;
        [k: string]: unknown;
      }[];
      note?: string;
      [k: string]: unknown;
    };
    quantity: number;
  }[];
  buyer?: {
    first_name?: string;
    last_name?: string;
    email?: string;
    phone_number?: string;
    [k: string]: unknown;
  };
  tip?: {
    selected_option_id?: string;
    custom_amount?: number;
    [k: string]: unknown;
  };
  fulfillment?: {
    methods?: {
      id?: string;
      type?: 'delivery' | 'pickup';
      destination?: {
        type?: string;
        id?: string;
      };
      requested_fulfillment_time?: string;
      selected_option_id?: string;
      notes?: string;
      [k: string]: unknown;
    }[];
  };
  [k: string]: unknown;
};
export const CHECKOUT_REQUEST = {"type":"object","additionalProperties":true,"required":["line_items"],"properties":{"food_establishment":{"type":"object","additionalProperties":true,"properties":{"id":{"type":"string"}},"required":["id"]},"line_items":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"dish":{"type":"object","additionalProperties":true,"properties":{"id":{"type":"string"},"modifications":{"type":"array","items":{"type":"object","additionalProperties":true,"properties":{"id":{"type":"string"},"quantity":{"type":"integer","minimum":1}},"required":["id"]}},"note":{"type":"string"}},"required":["id"]},"quantity":{"type":"integer","minimum":1}},"required":["dish","quantity"]}},"buyer":{"type":"object","additionalProperties":true,"properties":{"first_name":{"type":"string"},"last_name":{"type":"string"},"email":{"type":"string"},"phone_number":{"type":"string"}}},"tip":{"type":"object","additionalProperties":true,"properties":{"selected_option_id":{"type":"string"},"custom_amount":{"type":"integer","minimum":0,"maximum":9007199254740991}},"oneOf":[{"not":{"required":["custom_amount"]},"required":["selected_option_id"]},{"not":{"required":["selected_option_id"]},"required":["custom_amount"]},{"not":{"anyOf":[{"required":["selected_option_id"]},{"required":["custom_amount"]}]}}]},"fulfillment":{"type":"object","properties":{"methods":{"type":"array","items":{"if":{"properties":{"type":{"const":"delivery"}},"required":["type"]},"then":{"properties":{"destination":{"type":"object","properties":{"address":{"type":"object","properties":{"extended_address":{"type":"string"},"street_address":{"type":"string"},"address_locality":{"type":"string"},"address_region":{"type":"string"},"address_country":{"type":"string"},"postal_code":{"type":"string"},"first_name":{"type":"string"},"last_name":{"type":"string"},"phone_number":{"type":"string"}}},"geo":{"type":"object","properties":{"latitude":{"type":"number","minimum":-90,"maximum":90},"longitude":{"type":"number","minimum":-180,"maximum":180}},"required":["latitude","longitude"]},"id":{"type":"string"},"type":{"type":"string","const":"delivery_address"},"selected_preference_option_ids":{"type":"array","items":{"type":"string"}}},"anyOf":[{"required":["address"]},{"required":["geo"]}]}}},"allOf":[{"if":{"properties":{"type":{"const":"pickup"}},"required":["type"]},"then":{"properties":{}}}],"type":"object","additionalProperties":true,"properties":{"id":{"type":"string"},"type":{"type":"string","enum":["delivery","pickup"]},"destination":{"if":{"properties":{"type":{"const":"delivery_address"}},"required":["type"]},"then":{"type":"object","properties":{"address":{"type":"object","properties":{"extended_address":{"type":"string"},"street_address":{"type":"string"},"address_locality":{"type":"string"},"address_region":{"type":"string"},"address_country":{"type":"string"},"postal_code":{"type":"string"},"first_name":{"type":"string"},"last_name":{"type":"string"},"phone_number":{"type":"string"}}},"geo":{"type":"object","properties":{"latitude":{"type":"number","minimum":-90,"maximum":90},"longitude":{"type":"number","minimum":-180,"maximum":180}},"required":["latitude","longitude"]},"id":{"type":"string"},"type":{"type":"string","const":"delivery_address"},"selected_preference_option_ids":{"type":"array","items":{"type":"string"}}},"anyOf":[{"required":["address"]},{"required":["geo"]}]},"allOf":[{"if":{"properties":{"type":{"const":"business_location"}},"required":["type"]},"then":{"type":"object","additionalProperties":true,"properties":{"id":{"type":"string"}},"required":["id"]}}],"type":"object","properties":{"type":{"type":"string"},"id":{"type":"string"}}},"requested_fulfillment_time":{"type":"string","format":"date-time"},"selected_option_id":{"type":"string"},"notes":{"type":"string"}},"dependentRequired":{"destination":["type"]}}}}}}} as const;

export type Location = {
  id: string;
  name: string;
  address?: {
    extended_address?: string;
    street_address?: string;
    address_locality?: string;
    address_region?: string;
    address_country?: string;
    postal_code?: string;
    first_name?: string;
    last_name?: string;
    phone_number?: string;
  };
  geo?: {
    latitude: number;
    longitude: number;
  };
  amenities?: {
    [k: string]: {
      description: string;
      [k: string]: unknown;
    };
  };
  hours?: {
    opens: string;
    closes: string;
    day: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday';
  }[];
  exception_hours?: {
    opens?: string;
    closes?: string;
    title?: string;
    valid_from: string;
    valid_through: string;
  }[];
  timezone?: string;
  [k: string]: unknown;
};

export type Message =
  | {
      type: 'error';
      code: string;
      path?: string;
      content_type?: 'plain' | 'markdown';
      content: string;
      severity: 'recoverable' | 'requires_buyer_input' | 'requires_buyer_review' | 'unrecoverable';
    }
  | {
      type: 'warning';
      path?: string;
      code: string;
      content: string;
      content_type?: 'plain' | 'markdown';
      presentation?: string;
      image_url?: string;
      url?: string;
    }
  | {
      type: 'info';
      path?: string;
      code?: string;
      content_type?: 'plain' | 'markdown';
      content: string;
    };
